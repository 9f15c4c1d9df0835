/* formula.c - formulas, computed while they are parsed.

     expression = term { ("+" | "-") term }
     term       = factor { ("*" | "/") factor }
     factor     = "-" factor | number | "(" expression ")" | cell | function "(" arguments ")"
     arguments  = expression { "," expression }  */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sheet.h"

#define MAX_ARGUMENTS 4

struct parser {
    struct sheet *sheet;
    const char *text; /* the whole formula, for messages */
    const char *next; /* what is not parsed yet */
};

static double expression(struct parser *parser);

/* ---- Functions ---- */

static double minimum(const double *argument)
{
    return argument[0] < argument[1] ? argument[0] : argument[1];
}

static double maximum(const double *argument)
{
    return argument[0] > argument[1] ? argument[0] : argument[1];
}

/* To cents, halves away from zero.  */
static double cents(const double *argument)
{
    double amount = argument[0] * 100;
    return (double)(long long)(amount + (amount < 0 ? -0.5 : 0.5)) / 100;
}

/* The second argument where the first is above zero, else the third.  */
static double positive(const double *argument)
{
    return argument[0] > 0 ? argument[1] : argument[2];
}

struct function {
    const char *name;
    int arguments;
    double (*compute)(const double *argument);
};

static const struct function functions[] = {
    {"min", 2, minimum},
    {"max", 2, maximum},
    {"cents", 1, cents},
    {"positive", 3, positive},
};

static const struct function *find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    complain("no such function", name);
    return NULL;
}

/* ---- The parser ---- */

static void skip_blanks(struct parser *parser)
{
    while (*parser->next == ' ')
        parser->next++;
}

/* Takes the character C if it comes next.  */
static int accept(struct parser *parser, char c)
{
    skip_blanks(parser);
    if (*parser->next != c)
        return 0;
    parser->next++;
    return 1;
}

static void expect(struct parser *parser, char c)
{
    if (!accept(parser, c))
        complain("formula is not well formed", parser->text);
}

static double number(struct parser *parser)
{
    double value = 0, unit = 1;
    for (; isdigit((unsigned char)*parser->next); parser->next++)
        value = value * 10 + (*parser->next - '0');
    if (*parser->next != '.')
        return value;
    for (parser->next++; isdigit((unsigned char)*parser->next); parser->next++)
        value += (*parser->next - '0') * (unit /= 10);
    return value;
}

static void name(struct parser *parser, char *to)
{
    size_t length = 0;
    while (isalnum((unsigned char)*parser->next) || *parser->next == '_') {
        if (length == NAME_LENGTH - 1)
            complain("name is too long", parser->text);
        to[length++] = *parser->next++;
    }
    to[length] = '\0';
}

static double call(struct parser *parser, const char *function_name)
{
    const struct function *function = find(function_name);
    double argument[MAX_ARGUMENTS];

    for (int i = 0; i < function->arguments; i++) {
        if (i > 0)
            expect(parser, ',');
        argument[i] = expression(parser);
    }
    expect(parser, ')');
    return function->compute(argument);
}

static double factor(struct parser *parser)
{
    char word[NAME_LENGTH];
    double value;

    if (accept(parser, '-'))
        return -factor(parser);
    if (accept(parser, '(')) {
        value = expression(parser);
        expect(parser, ')');
        return value;
    }
    if (isdigit((unsigned char)*parser->next))
        return number(parser);
    if (!isalpha((unsigned char)*parser->next))
        complain("formula is not well formed", parser->text);
    name(parser, word);
    return accept(parser, '(') ? call(parser, word) : sheet_value(parser->sheet, word);
}

static double term(struct parser *parser)
{
    double value = factor(parser);
    for (;;) {
        if (accept(parser, '*'))
            value *= factor(parser);
        else if (accept(parser, '/'))
            value /= factor(parser);
        else
            return value;
    }
}

static double expression(struct parser *parser)
{
    double value = term(parser);
    for (;;) {
        if (accept(parser, '+'))
            value += term(parser);
        else if (accept(parser, '-'))
            value -= term(parser);
        else
            return value;
    }
}

double formula_value(struct sheet *sheet, const char *text)
{
    struct parser parser = {sheet, text, text};
    double value = expression(&parser);
    expect(&parser, '\0');
    return value;
}
