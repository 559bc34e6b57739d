/*
 * A binary search tree whose nodes come from a static array: find, insert, and a walk without recursion.
 *
 * What is true of tree_insert():
 *   - It returns the node of the key, a new one or the old one; NULL only if the pool is used up and the key is new.
 *   - A tree that is a search tree stays one. No key is there twice.
 *   - used never exceeds POOL_SIZE.
 * What is true of the others:
 *   - tree_find() returns NULL exactly if the key is not in the tree.
 *   - tree_sum_in_order() visits the nodes in ascending order. Its stack is deep enough for every tree of the pool,
 *     since no path is longer than POOL_SIZE: where n is not null, the test `depth < POOL_SIZE` is true.
 *
 *   pct analyze examples/structures/search_tree.c -f tree_insert
 */
#include <stdbool.h>
#include <stddef.h>

#define POOL_SIZE 16

typedef struct node {
	int key;
	int count;
	struct node *left, *right;
} node_t;

static node_t pool[POOL_SIZE];
static int used;

static node_t *new_node(int key)
{
	node_t *n;

	if (used >= POOL_SIZE)
		return NULL;
	n = &pool[used++];
	n->key = key;
	n->count = 0;
	n->left = n->right = NULL;
	return n;
}

node_t *tree_find(node_t *root, int key)
{
	while (root != NULL && root->key != key)
		root = key < root->key ? root->left : root->right;
	return root;
}

node_t *tree_insert(node_t **root, int key)
{
	node_t *n = *root;
	node_t *parent = NULL;

	while (n != NULL) {
		if (key == n->key) {
			n->count++;
			return n;
		}
		parent = n;
		n = key < n->key ? n->left : n->right;
	}

	n = new_node(key);
	if (n == NULL)
		return NULL;
	if (parent == NULL)
		*root = n;
	else if (key < parent->key)
		parent->left = n;
	else
		parent->right = n;
	return n;
}

/* The sum of the keys, and whether they were met in ascending order. */
bool tree_sum_in_order(const node_t *root, long *sum)
{
	const node_t *stack[POOL_SIZE];
	const node_t *n = root, *last = NULL;
	int depth = 0;

	*sum = 0;
	while (n != NULL || depth > 0) {
		while (n != NULL && depth < POOL_SIZE) {
			stack[depth++] = n;
			n = n->left;
		}
		n = stack[--depth];
		if (last != NULL && last->key >= n->key)
			return false;
		*sum += n->key;
		last = n;
		n = n->right;
	}
	return true;
}
