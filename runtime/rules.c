/* rules.c - the rules by which the frames of all objects are unwound, and the last ones in use.
   SPDX-License-Identifier: MIT

   glibc tells which object an address is in, without a lock (_dl_find_object, 2.35).  Where it does
   not, objects count that were in memory at the start.

   Several threads may use an entry of the cache at once, so what is found there is checked: `check'
   is the rule, combined with the address and with the table of its object. */
#include "rules.h"

#include "state.h"
#include "text.h"

/* The segment of the file that has the table, and what the table tells of. */
static void note_tables(struct object_rules *object, uintptr_t bias, const ElfW(Phdr) * p)
{
    const struct range segment = {bias + p->p_vaddr, bias + p->p_vaddr + p->p_filesz};

    if (p->p_type == PT_LOAD && is_in_range(segment, object->table))
        object->tables = segment;
}

void rules_note_object(const struct dl_phdr_info *info)
{
    struct object_rules *object = &regmon_state.start_objects[regmon_state.start_count];

    if (regmon_state.start_count == MOST_START_OBJECTS)
        return;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
            object->is_readable = (p->p_flags & PF_R) != 0;
            object->code.low = info->dlpi_addr + p->p_vaddr;
            object->code.high = object->code.low + p->p_memsz;
        }
        if (p->p_type == PT_GNU_EH_FRAME)
            object->table = info->dlpi_addr + p->p_vaddr;
    }
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        note_tables(object, info->dlpi_addr, &info->dlpi_phdr[i]);
    regmon_state.start_count++;
}

/* The address of .eh_frame_hdr of the object that the address is in; 0 if there is none.  Not
   inline, so that its stack is free again when a rule is made. */
static __attribute__((noinline)) uintptr_t table_of(struct rules_space *space, uintptr_t address)
{
    if (is_in_range(regmon_state.start_objects[0].code, address))
        return regmon_state.start_objects[0].table;
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    if (regmon_state.next.find_object)
        return regmon_state.next.find_object((void *)address, &space->found) == 0
                   ? (uintptr_t)space->found.dlfo_eh_frame
                   : 0;
#else
    (void)space;
#endif
    for (unsigned i = 1; i < regmon_state.start_count; i++)
        if (is_in_range(regmon_state.start_objects[i].code, address))
            return regmon_state.start_objects[i].table;
    return 0;
}

struct unwind_rule rules_find(struct rules_space *space, uintptr_t address)
{
    const uintptr_t table = table_of(space, address);
    const uint64_t key = address ^ table << 20;
    struct rule_entry *entry = &regmon_state.rules[(key ^ key >> 12) % MOST_RULES];
    uint64_t word = __atomic_load_n(&entry->rule, __ATOMIC_RELAXED);
    struct unwind_rule rule = {.kind = RULE_NONE};

    if (!table)
        return rule;
    if ((__atomic_load_n(&entry->check, __ATOMIC_RELAXED) ^ word) == key) {
        copy_bytes(&rule, &word, sizeof rule);
        return rule;
    }
    rule = unwind_rule_at(&space->unwind, table, address);
    copy_bytes(&word, &rule, sizeof word);
    __atomic_store_n(&entry->rule, word, __ATOMIC_RELAXED);
    __atomic_store_n(&entry->check, key ^ word, __ATOMIC_RELAXED);
    return rule;
}

void rules_forget(void)
{
    for (size_t i = 0; i < MOST_RULES; i++) {
        __atomic_store_n(&regmon_state.rules[i].check, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&regmon_state.rules[i].rule, 0, __ATOMIC_RELAXED);
    }
}
