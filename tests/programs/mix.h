extern volatile unsigned long sink;

int other_file(int n);
int _leading(int n);
int __twice(int n);
int original(int n);
int another_name(int n);
int _third_name(int n);
