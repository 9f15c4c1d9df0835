/* table.h - variables by name.  */

/* Where the value of the variable is; of a new one it is 0.  */
double *find(char name);
