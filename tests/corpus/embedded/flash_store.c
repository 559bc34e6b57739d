/* Embedded style: settings in flash memory: two pages, records with a checksum, a choice of the newer page. */
#include <stdint.h>
#include <stddef.h>
#include <string.h>

#define PAGE_WORDS 64
#define PAGE_MAGIC 0xA5C3u
#define ERASED 0xFFFFu
#define RECORD_KEY(w) ((uint8_t)((w) >> 8))
#define RECORD_SUM(w) ((uint8_t)(w))

typedef enum { PAGE_ERASED, PAGE_RECEIVING, PAGE_ACTIVE, PAGE_BROKEN } page_state_t;
typedef int (*flash_write_t)(volatile uint16_t *address, uint16_t value);

struct page {
	uint16_t magic;
	uint16_t sequence;
	uint16_t words[PAGE_WORDS - 2];
};

static struct page flash[2] __attribute__((aligned(4)));
static uint8_t active_page;
static flash_write_t write_hook;

static int write_word(volatile uint16_t *p, uint16_t value)
{
	if (*p != ERASED && (*p & value) != value)
		return -1;
	*p &= value;
	return *p == value ? 0 : -1;
}

static int flash_put(uint16_t *p, uint16_t value)
{
	return write_hook != NULL ? write_hook(p, value) : write_word(p, value);
}

static uint8_t checksum(uint8_t key, uint16_t value)
{
	uint8_t s = (uint8_t)(key ^ 0x5Au);

	s = (uint8_t)((s << 1 | s >> 7) ^ (value & 0xFFu));
	return (uint8_t)((s << 1 | s >> 7) ^ (value >> 8));
}

static page_state_t page_state(const struct page *p)
{
	if (p->magic == PAGE_MAGIC)
		return p->sequence == ERASED ? PAGE_RECEIVING : PAGE_ACTIVE;
	if (p->magic == ERASED && p->sequence == ERASED)
		return PAGE_ERASED;
	return PAGE_BROKEN;
}

static void page_erase(struct page *p)
{
	memset(p, 0xFF, sizeof *p);
}

/* Sequence numbers wrap; the newer one is at most half the range ahead. */
static int is_newer(uint16_t a, uint16_t b)
{
	return (int16_t)(a - b) > 0;
}

int store_mount(void)
{
	page_state_t s0 = page_state(&flash[0]), s1 = page_state(&flash[1]);

	if (s0 == PAGE_ACTIVE && s1 == PAGE_ACTIVE) {
		active_page = is_newer(flash[1].sequence, flash[0].sequence);
		page_erase(&flash[!active_page]);
		return 1;
	}
	if (s0 == PAGE_ACTIVE || s1 == PAGE_ACTIVE) {
		active_page = s1 == PAGE_ACTIVE;
		if (page_state(&flash[!active_page]) != PAGE_ERASED)
			page_erase(&flash[!active_page]);
		return 0;
	}
	page_erase(&flash[0]);
	page_erase(&flash[1]);
	active_page = 0;
	if (flash_put(&flash[0].magic, PAGE_MAGIC) || flash_put(&flash[0].sequence, 0))
		return -1;
	return 2;
}

static int find_last(const struct page *p, uint8_t key, uint16_t *value)
{
	int i, found = -1;

	for (i = 0; i + 1 < PAGE_WORDS - 2; i += 2) {
		uint16_t head = p->words[i];

		if (head == ERASED)
			break;
		if (RECORD_KEY(head) == key && RECORD_SUM(head) == checksum(key, p->words[i + 1])) {
			*value = p->words[i + 1];
			found = i;
		}
	}
	return found;
}

static int free_slot(const struct page *p)
{
	int i = 0;

	while (i + 1 < PAGE_WORDS - 2) {
		if (p->words[i] == ERASED && p->words[i + 1] == ERASED)
			return i;
		i += 2;
	}
	return -1;
}

static int append(struct page *p, uint8_t key, uint16_t value)
{
	int i = free_slot(p);

	if (i < 0)
		return -1;
	if (flash_put(&p->words[i + 1], value) != 0)
		return -2;
	return flash_put(&p->words[i], (uint16_t)(key << 8 | checksum(key, value)));
}

static int collect(void)
{
	struct page *from = &flash[active_page], *to = &flash[!active_page];
	uint16_t value;
	unsigned key;

	page_erase(to);
	if (flash_put(&to->magic, PAGE_MAGIC))
		return -1;
	for (key = 0; key < 0xFFu; key++)
		if (find_last(from, (uint8_t)key, &value) >= 0 && append(to, (uint8_t)key, value) != 0)
			return -1;
	if (flash_put(&to->sequence, (uint16_t)((from->sequence + 1u) % 0xFFFFu)))
		return -1;
	active_page = !active_page;
	page_erase(from);
	return 0;
}

int store_get(uint8_t key, uint16_t *value, uint16_t otherwise)
{
	*value = otherwise;
	return find_last(&flash[active_page], key, value) >= 0;
}

int store_set(uint8_t key, uint16_t value)
{
	uint16_t old;
	int r;

	if (key == 0xFFu)
		return -3;
	if (store_get(key, &old, 0) && old == value)
		return 0;
	r = append(&flash[active_page], key, value);
	if (r == -1) {
		if (collect() != 0)
			return -4;
		r = append(&flash[active_page], key, value);
	}
	return r;
}
