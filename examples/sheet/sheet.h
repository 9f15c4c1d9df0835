/* sheet.h - a spreadsheet of named cells, each holding a formula as text.  */

#ifndef SHEET_H
#define SHEET_H

#define NAME_LENGTH 24 /* longest name of a cell or function, with its NUL */

struct sheet;

struct sheet *sheet_new(void);
void sheet_free(struct sheet *sheet);

/* Gives the cell NAME the formula TEXT.  The old formula, if any, is forgotten.  */
void sheet_set(struct sheet *sheet, const char *name, const char *text);

/* Forgets all values and computes every cell again.  */
void sheet_recalculate(struct sheet *sheet);

/* The value of a cell, computed if it is not known yet.  */
double sheet_value(struct sheet *sheet, const char *name);

/* The value of a formula that may refer to cells of SHEET.  */
double formula_value(struct sheet *sheet, const char *text);

/* Prints what is wrong with WHERE and ends the program.  */
void complain(const char *what, const char *where);

#endif
