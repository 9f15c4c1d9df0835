/* fentry: functions that call __fentry__ in each way that compilers do, 1,000 times each.  Of
 * x86-64. */
int calls_other(int x);

/* The bytes before the call in behind_jump are those of a nested function's, but belong to a jump.
   Above its return address there is no address of code. */
__asm__(
    ".text; .byte 0xe9, 0, 0, 0x41, 0x52; .type behind_jump, @function\n"
    "behind_jump: call __fentry__@PLT; lea 1(%rdi), %eax; ret; .size behind_jump, . - behind_jump\n"
    ".globl calls_other; .type calls_other, @function\n"
    "calls_other: call __fentry__@PLT; push $0; call behind_jump; pop %rcx; ret\n"
    ".size calls_other, . - calls_other");

__attribute__((noinline)) static int calls_nested(int x)
{
    __attribute__((noinline)) int nested(int y)
    {
        return x += y;
    }
    int (*volatile function)(int) = nested;

    return function(1) + nested(2);
}

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 1000; i++)
        sum += calls_nested(i) + calls_other(i);
    return sum == 0;
}
