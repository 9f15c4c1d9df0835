/* Linked last, so that no sample falls into what is last of a program.  */

void zz_padding(void);

void zz_padding(void)
{
}
