/* main.c - what a house costs: for several rates of interest, finds the monthly payment that pays
   off a loan in thirty years, by recalculating a spreadsheet of the loan until it fits.  */

#include <stdio.h>

#include "sheet.h"

#define MONTHS 360
#define LOAN 250000.0

static void set_number(struct sheet *sheet, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6f", value);
    sheet_set(sheet, name, text);
}

/* Four cells for each month: interest, what goes off the debt, the debt, the interest so far.  */
static void add_month(struct sheet *sheet, int month)
{
    char name[NAME_LENGTH], text[128];

    snprintf(name, sizeof name, "month%d_interest", month);
    snprintf(text, sizeof text, "cents(month%d_debt * rate / (12 * 100))", month - 1);
    sheet_set(sheet, name, text);

    snprintf(name, sizeof name, "month%d_off", month);
    snprintf(text, sizeof text, "positive(month%d_debt, payment - month%d_interest, -(0))",
             month - 1, month);
    sheet_set(sheet, name, text);

    snprintf(name, sizeof name, "month%d_debt", month);
    snprintf(text, sizeof text, "month%d_debt - min(month%d_off, month%d_debt + cents(fee))",
             month - 1, month, month - 1);
    sheet_set(sheet, name, text);

    snprintf(name, sizeof name, "month%d_paid", month);
    snprintf(text, sizeof text, "month%d_paid + max(month%d_interest, 0)", month - 1, month);
    sheet_set(sheet, name, text);
}

static struct sheet *new_loan(void)
{
    struct sheet *sheet = sheet_new();
    set_number(sheet, "month0_debt", LOAN);
    set_number(sheet, "month0_paid", 0);
    set_number(sheet, "fee", 0);
    set_number(sheet, "rate", 0);
    set_number(sheet, "payment", 0);
    for (int month = 1; month <= MONTHS; month++)
        add_month(sheet, month);
    return sheet;
}

/* What is still owed at the end when PAYMENT is paid every month.  */
static double rest(struct sheet *sheet, double payment)
{
    set_number(sheet, "payment", payment);
    sheet_recalculate(sheet);
    return sheet_value(sheet, "month360_debt");
}

/* The least payment, to the cent, that leaves nothing.  */
static double find_payment(struct sheet *sheet, double rate)
{
    double low = 0, high = LOAN / 12;

    set_number(sheet, "rate", rate);
    while (high - low > 0.005) {
        double middle = (low + high) / 2;
        if (rest(sheet, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    rest(sheet, high);
    return high;
}

int main(void)
{
    struct sheet *sheet = new_loan();

    printf("  rate  payment   interest\n");
    for (int step = 0; step <= 48; step++) {
        double rate = 2 + step / 8.0;
        double payment = find_payment(sheet, rate);
        printf("%5.3f%% %8.2f %10.2f\n", rate, payment, sheet_value(sheet, "month360_paid"));
    }
    sheet_free(sheet);
    return 0;
}
