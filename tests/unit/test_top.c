/* test_top.c - the table of functions: every column, groups, order, and which rows are shown.  */
/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "tables/make_top.h"

#include "analysis/bounds.h"
#include "analysis/free_profile.h"
#include "analysis/make_snapshot.h"
#include "base/common.h"
#include "base/message.h"
#include "model/hist_set.h"
#include "program.h"
#include "tap.h"

/* A program of which every figure is known by hand; its rate is 100 per second.

       main (2 ticks)  --10-->  work (40)  --30-->  leaf (8)  <--10--  even (20)
       main            --5--->  even (20)  --3--->  odd (30)
       odd             --2--->  even         (even and odd are cycle 1)
       main            --0--->  never (0)

   leaf has 8 ticks in 40 calls: 6 are work's, 2 are even's.  */
enum { MAIN, WORK, LEAF, EVEN, ODD, NEVER, FUNCTIONS };

static const char *const names[FUNCTIONS] = {"main", "_Z4workv", "leaf", "even", "odd", "never"};
static const char *const labels[FUNCTIONS] = {"main", "work()", "leaf", "even", "odd", "never"};
static const double times[FUNCTIONS] = {2, 40, 8, 20, 30, 0};
static const struct call calls[] = {{MAIN, WORK, 10}, {WORK, LEAF, 30}, {EVEN, LEAF, 10},
                                    {MAIN, EVEN, 5},  {EVEN, ODD, 3},   {ODD, EVEN, 2},
                                    {LEAF, LEAF, 7},  {MAIN, NEVER, 0}};

static void make_source(struct profile *p)
{
    static const char *const paths[] = {"a.c", "b.c"};
    static const uint32_t lines[FUNCTIONS] = {10, 20, 5, 7, 7, 0};
    for (size_t i = 0; i < ARRAY_LENGTH(paths); i++)
        files_intern(&p->files, paths[i]);
    p->files.labels = mem_array(p->files.count, sizeof *p->files.labels);
    for (size_t i = 0; i < ARRAY_LENGTH(paths); i++)
        p->files.labels[i] = paths[i];
    for (uint32_t s = 0; s < FUNCTIONS; s++) {
        p->symtab.symbols[s].label = labels[s];
        p->symtab.symbols[s].line = lines[s];
        p->symtab.symbols[s].file = s == NEVER ? NO_ID : s < LEAF ? 0 : 1;
    }
}

/* The time filter is TIME if that is not NULL.  */
static void make_filtered(struct profile *p, bool has_samples, bool has_calls,
                          const struct filter *time)
{
    static const double nothing[FUNCTIONS] = {0};
    const struct hist_header header = {TEXT, TEXT + FUNCTIONS * FUNCTION_SIZE, 6, 100, "seconds",
                                       's'};
    *p = (struct profile){0};
    if (time != NULL)
        p->filters.time = *time;
    program_symbols(p, FUNCTIONS, names);
    make_source(p);
    program_calls(p, calls, has_calls ? ARRAY_LENGTH(calls) : 0);
    program_graph(p, has_samples ? times : nothing);
    if (has_samples)
        hist_find_or_add(&p->hist, &header);
    p->hist.total = p->hist.samples = has_samples ? 100 : 0;
    p->times.rate = has_samples ? header.rate : 1;
    p->infos = mem_array(1, sizeof *p->infos);
    p->info_count = 1;
    p->infos[0] = (struct file_info){.path = "gmon.out", .arcs = has_calls};
}

static void make_profile(struct profile *p, bool has_samples, bool has_calls)
{
    make_filtered(p, has_samples, has_calls, NULL);
}

static struct column_list list(const char *text)
{
    struct column_list columns;
    const char *unknown;
    size_t length;
    if (!column_list_parse(&columns, &top_columns, text, true, &unknown, &length))
        is_true(false, text);
    return columns;
}

/* A table and what it is of.  */
struct made {
    struct profile profile;
    struct profile_snapshot snapshot;
    struct top top;
};

/* RULES with these columns, sorted by self, calls and name unless it says otherwise.  */
static void build(struct made *made, const char *columns, struct top_rules rules)
{
    struct profile *p = &made->profile;
    rules.columns = list(columns);
    if (rules.sort.count == 0)
        rules.sort = list("self,total,calls,name");
    bounds_compute(p, p->views.graph, p->graph.count);
    snapshot_build(&made->snapshot, p);
    made->snapshot.snapshot.image.machine = "i386:x86-64";
    snapshot_list_arcs(&made->snapshot);
    snapshot_set_bounds(&made->snapshot);
    top_build(&made->top, &made->snapshot.snapshot, &rules);
}

static void release(struct made *made)
{
    top_free(&made->top);
    profile_snapshot_free(&made->snapshot);
    profile_free(&made->profile);
}

/* The table in one line: cells of a row are separated by blanks, rows by slashes; `-' is empty.  */
static const char *text_of(const struct table *table)
{
    static char text[4000];
    size_t used = 0;
    text[0] = '\0';
    for (size_t row = 0; row < table->row_count; row++) {
        struct cell cells[MOST_COLUMNS];
        table->fill(table->context, row, cells);
        for (size_t c = 0; c < table->column_count; c++) {
            const struct cell *cell = &cells[c];
            const char *gap = c > 0 ? " " : row > 0 ? "/" : "";
            char *to = text + used;
            size_t size = sizeof text - used;
            if (cell->kind == CELL_TEXT)
                used += (size_t)snprintf(to, size, "%s%s", gap, cell->text);
            else if (cell->kind == CELL_COUNT)
                used += (size_t)snprintf(to, size, "%s%llu", gap, (unsigned long long)cell->count);
            else if (cell->kind == CELL_NUMBER)
                used += (size_t)snprintf(to, size, "%s%.6g%s", gap, cell->number,
                                         cell->is_doubtful ? "?" : "");
            else
                used += (size_t)snprintf(to, size, "%s-", gap);
        }
    }
    return text;
}

static void check(const char *columns, struct top_rules rules, const char *expected,
                  const char *what)
{
    struct made made;
    make_profile(&made.profile, true, true);
    build(&made, columns, rules);
    is_same_text(text_of(&made.top.table), expected, what);
    release(&made);
}

/* ---- Columns ---- */

static void test_columns(void)
{
    static const struct {
        const char *column, *expected;
    } rows[] = {
        {"name", "work()/odd <cycle 1>/even <cycle 1>/leaf/main"},
        {"raw", "_Z4workv/odd/even/leaf/main"},
        {"self", "0.4/0.3/0.2/0.08/0.02"},
        {"self%", "40/30/20/8/2"},
        {"cumulative%", "40/70/90/98/100"},
        {"total", "0.46/0.52/0.52/0.08/1"},
        {"total%", "46/52/52/8/100"},
        {"least", "0.4/0.3/0.5/0.08/1"},
        {"most", "0.48/0.58/0.58/0.08/1"},
        {"calls", "10/3/7/40/-"},
        {"self/call", "0.04/0.1/0.0285714/0.002/-"},
        {"total/call", "0.046/0.104/0.104/0.002/-"},
        {"samples", "40/30/20/8/2"},
        {"error", "0.0632456/0.0547723/0.0447214/0.0282843?/0.0141421?"},
        {"callers", "1/1/2/2/0"},
        {"callees", "1/1/2/0/2"},
        {"cycle", "-/1/1/-/-"},
        {"file", "a.c/b.c/b.c/b.c/a.c"},
        {"line", "20/7/7/5/10"},
        {"address", "4112/4160/4144/4128/4096"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
        check(rows[i].column, (struct top_rules){0}, rows[i].expected, rows[i].column);
}

static void test_unknown(void)
{
    struct made made;
    make_profile(&made.profile, false, true);
    build(&made, "name,self,self%,total,calls,error,samples", (struct top_rules){.limit = 2});
    is_same_text(text_of(&made.top.table), "leaf - - - 40 - -/work() - - - 10 - -",
                 "without samples, times are not known");
    release(&made);
    make_profile(&made.profile, true, false);
    build(&made, "name,self,total,calls,callers,callees,least,most",
          (struct top_rules){.limit = 1});
    is_same_text(text_of(&made.top.table), "work() 0.4 - - 0 0 - -",
                 "without calls, inclusive times are not known");
    release(&made);
}

static void test_time_filter(void)
{
    struct made made;
    bool left_out[FUNCTIONS] = {[LEAF] = true};
    const struct filter time = {.exclude = {left_out, true}};
    make_filtered(&made.profile, true, true, &time);
    build(&made, "name,total,least,most", (struct top_rules){.limit = 1});
    is_same_text(text_of(&made.top.table), "work() 0.4 - -", "no bounds if time is left out");
    made.profile.filters.time.exclude = (struct sym_set){0};
    release(&made);
}

static void test_rate_0(void)
{
    struct made made;
    make_profile(&made.profile, true, true);
    made.profile.hist.rate = 0;
    made.profile.times.rate = 1;
    build(&made, "self,error", (struct top_rules){.limit = 1});
    is_same_text(text_of(&made.top.table), "40 6.32456", "without a rate, times are in ticks");
    release(&made);
}

static void test_parse(void)
{
    struct column_list columns;
    const char *unknown;
    size_t length;
    struct name_list all = {0};
    is_true(strncmp(column_names(&top_columns, &all), "self self% ", 11) == 0,
            "the names of all columns");
    for (char *blank = all.text; (blank = strchr(blank, ' ')) != NULL;)
        *blank = ',';
    is_true(column_list_parse(&columns, &top_columns, all.text, false, &unknown, &length),
            "all names are columns");
    is_equal(columns.count, 21, "21 columns");
    is_true(
        !column_list_parse(&columns, &top_columns, "self,selves,name", false, &unknown, &length) &&
            length == 6 && strncmp(unknown, "selves", length) == 0,
        "an unknown name is pointed at");
    is_true(!column_list_parse(&columns, &top_columns, "-self", false, &unknown, &length),
            "a list of columns reverses nothing");
    is_true(!column_list_parse(&columns, &top_columns, "self,", true, &unknown, &length),
            "an empty name");
    is_true(!column_list_parse(&columns, &top_columns, "", true, &unknown, &length),
            "an empty list");
    is_true(column_list_parse(&columns, &top_columns, "-self,name", true, &unknown, &length) &&
                columns.is_reversed[0] && !columns.is_reversed[1],
            "a list to sort by may");
    is_true(column_list_has(&columns, "name") && !column_list_has(&columns, "nam"),
            "what is in a list");
}

/* ---- Rows ---- */

static void test_order(void)
{
    check("name", (struct top_rules){.sort = list("-self")},
          "main/leaf/even <cycle 1>/odd <cycle 1>/work()", "the least first");
    check("calls", (struct top_rules){.sort = list("-calls")}, "3/7/10/40/-",
          "empty cells come last in both directions");
    check("calls", (struct top_rules){.sort = list("calls")}, "40/10/7/3/-", "most calls first");
    check("name,most", (struct top_rules){.sort = list("most,name"), .limit = 3},
          "main 1/even <cycle 1> 0.58/odd <cycle 1> 0.58", "by a bound, which all rows have then");
    check("name", (struct top_rules){.sort = list("-least,name"), .limit = 2}, "leaf/odd <cycle 1>",
          "by the other bound, which no column shows");
    check("line,name", (struct top_rules){.sort = list("line,-name")},
          "20 work()/10 main/7 odd <cycle 1>/7 even <cycle 1>/5 leaf",
          "the next column decides among equals");
    check("name", (struct top_rules){.sort = list("file,name")},
          "main/work()/even <cycle 1>/leaf/odd <cycle 1>", "texts ascend");
}

static void test_shown(void)
{
    struct made made;
    make_profile(&made.profile, true, true);
    build(&made, "name", (struct top_rules){.limit = 2, .has_zeros = true});
    is_same_text(text_of(&made.top.table), "work()/odd <cycle 1>",
                 "as many rows as the limit says");
    is_equal(made.top.hidden_count, 4,
             "the others are counted, those without time and calls as well");
    is_same_double(made.top.shown, 70, "time of the rows");
    is_same_double(made.top.hidden, 30, "time of the others");
    release(&made);
    check("name", (struct top_rules){.min_share = 46}, "work()/odd <cycle 1>/even <cycle 1>/main",
          "a share of own or inclusive time");
    check("name", (struct top_rules){.min_share = 52.5}, "main", "a larger one");
    check("name", (struct top_rules){.has_zeros = true, .sort = list("self,name"), .limit = 0},
          "work()/odd <cycle 1>/even <cycle 1>/leaf/main/never", "all symbols");
}

/* A regular expression; the argument is one.  */
static regex_t expression(const char *text)
{
    regex_t compiled;
    if (regcomp(&compiled, text, REG_EXTENDED | REG_NOSUB) != 0)
        is_true(false, text);
    return compiled;
}

static void test_expressions(void)
{
    struct made made;
    regex_t ends = expression("^(main|leaf)$"), parts = expression("ev|ea");
    regex_t file = expression("^b\\.c:"), cycle = expression("cycle"), main = expression("main");
    check("name", (struct top_rules){.focus = &ends}, "leaf/main", "focus");
    check("name", (struct top_rules){.hide = &parts}, "work()/odd <cycle 1>/main", "hide");
    check("name", (struct top_rules){.focus = &file, .hide = &cycle}, "leaf",
          "file:name, and the name as it is printed");
    make_profile(&made.profile, true, true);
    build(&made, "name", (struct top_rules){.focus = &main});
    is_equal(made.top.hidden_count, 4, "rows that do not match count as not shown");
    is_same_double(made.top.hidden, 98, "and so does their time");
    release(&made);
    regfree(&ends);
    regfree(&parts);
    regfree(&file);
    regfree(&cycle);
    regfree(&main);
}

static void test_filter(void)
{
    struct made made;
    bool left_out[FUNCTIONS] = {[WORK] = true};
    make_profile(&made.profile, true, true);
    made.profile.filters.flat.exclude = (struct sym_set){left_out, true};
    build(&made, "name", (struct top_rules){0});
    is_same_text(text_of(&made.top.table), "odd <cycle 1>/even <cycle 1>/leaf/main",
                 "what the flat profile excludes");
    made.profile.filters.flat.exclude = (struct sym_set){0};
    release(&made);
}

static void test_groups(void)
{
    check("name,self,calls,total,least,most,cycle,callers,line",
          (struct top_rules){.by = TOP_FILES}, "b.c 0.58 50 - - - - - -/a.c 0.42 10 - - - - - -",
          "files");
    check("file,line,self,calls,name", (struct top_rules){.by = TOP_LINES},
          "b.c 7 0.5 10 even/a.c 20 0.4 10 work()/b.c 5 0.08 40 leaf/a.c 10 0.02 - main", "lines");
    regex_t never = expression("never");
    check("file,line,name,raw",
          (struct top_rules){
              .by = TOP_LINES, .has_zeros = true, .sort = list("self,name"), .focus = &never},
          "- - never never", "a function without a known line is a group of its own");
    check("name,raw,self",
          (struct top_rules){.by = TOP_FILES, .has_zeros = true, .sort = list("self,name")},
          "b.c - 0.58/a.c - 0.42/<unknown> - 0", "functions without a known file are one group");
    regfree(&never);
}

static void test_names(void)
{
    check("name", (struct top_rules){.names = NAMES_SHORT, .limit = 2}, "work/odd <cycle 1>",
          "short names");
    check("name", (struct top_rules){.names = NAMES_RAW, .limit = 2}, "_Z4workv/odd <cycle 1>",
          "raw names");
}

static void test_nothing(void)
{
    struct made made;
    make_profile(&made.profile, false, false);
    build(&made, "name,self%,cumulative%", (struct top_rules){0});
    is_equal(made.top.table.row_count + made.top.hidden_count, 0, "no time, no calls, no rows");
    release(&made);
}

int main(void)
{
    test_columns();
    test_unknown();
    test_time_filter();
    test_rate_0();
    test_parse();
    test_order();
    test_shown();
    test_expressions();
    test_filter();
    test_groups();
    test_names();
    test_nothing();
    return tap_done();
}
