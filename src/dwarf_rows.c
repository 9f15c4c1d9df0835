#include "config.h"

#include "dwarf_rows.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void add_ranges(Dwarf_Die *die, struct vma_list *list)
{
    Dwarf_Addr base, start, end;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(die, next, &base, &start, &end)) > 0;) {
        vma_list_add(list, start);
        vma_list_add(list, end);
    }
}

static void add_lines(Dwarf_Die *unit, struct vma_list *list)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        Dwarf_Addr addr;
        if (dwarf_lineaddr(dwarf_onesrcline(lines, i), &addr) == 0)
            vma_list_add(list, addr);
    }
}

static bool may_have_code(int tag)
{
    switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_entry_point:
    case DW_TAG_namespace:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_module:
        return true;
    default:
        return false;
    }
}

/* The entries below one, depth-first, with a path of its own: debug information may nest as deep as
   it likes.  */
static void add_entries(Dwarf_Die *unit, struct vma_list *list)
{
    Dwarf_Die *path = NULL;
    size_t depth = 0, room = 0;
    path = mem_grow(path, &room, 1, sizeof *path);
    if (dwarf_child(unit, &path[0]) == 0)
        depth = 1;
    while (depth > 0) {
        Dwarf_Die entry = path[depth - 1];
        int tag = dwarf_tag(&entry);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            add_ranges(&entry, list);
        if (dwarf_siblingof(&entry, &path[depth - 1]) != 0)
            depth--;
        path = mem_grow(path, &room, depth + 1, sizeof *path);
        if (may_have_code(tag) && dwarf_child(&entry, &path[depth]) == 0)
            depth++;
    }
    free(path);
}

bool dwarf_rows(const char *path, struct vma_list *list)
{
    size_t before = list->count;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    Dwarf_CU *unit = NULL;
    Dwarf_Die entry;
    while (dwarf != NULL && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &entry, NULL) == 0) {
        add_ranges(&entry, list);
        add_lines(&entry, list);
        add_entries(&entry, list);
    }
    dwarf_end(dwarf);
    if (fd >= 0)
        close(fd);
    return list->count > before;
}

#else

bool dwarf_rows(const char *path, struct vma_list *list)
{
    (void)path;
    (void)list;
    return false;
}

#endif

void vma_list_add(struct vma_list *list, vma addr)
{
    list->addrs = mem_grow(list->addrs, &list->room, list->count + 1, sizeof *list->addrs);
    list->addrs[list->count++] = addr;
}
