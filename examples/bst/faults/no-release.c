/*
 * bst: an ordered set of integers in a binary search tree that is not balanced.
 *
 * Nodes live in a pool and link to each other by pointers; every node knows the
 * size of its subtree, so that ranks need no walk. See README.md for commands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES 200
#define MAX_LINE 128
#define LIMIT 1000000

struct node {
    int key;
    int size; /* nodes of the subtree, itself included */
    struct node *left;
    struct node *right; /* also links the nodes that are free */
};

static struct node pool[MAX_NODES];
static struct node *spare;
static int used;
static int line_number;

static void fail(const char *message)
{
    printf("error: line %d: %s\n", line_number, message);
    exit(1);
}

static struct node *new_node(int key)
{
    struct node *n = spare;

    if (n != NULL)
        spare = n->right;
    else if (used < MAX_NODES)
        n = &pool[used++];
    else
        fail("set is full");
    n->key = key;
    n->size = 1;
    n->left = n->right = NULL;
    return n;
}

static int size_of(const struct node *n)
{
    return n == NULL ? 0 : n->size;
}

static const struct node *find(const struct node *n, int key)
{
    while (n != NULL && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n;
}

/* Adds a key that is not there; every node on the way grows. */
static void insert(struct node **root, int key)
{
    struct node *fresh = new_node(key);
    struct node **link = root;

    while (*link != NULL) {
        (*link)->size++;
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    }
    *link = fresh;
}

/* Unlinks the smallest node under *link, which is not empty. */
static struct node *take_smallest(struct node **link)
{
    while ((*link)->left != NULL) {
        (*link)->size--;
        link = &(*link)->left;
    }
    struct node *smallest = *link;
    *link = smallest->right;
    return smallest;
}

/* Removes a key that is there; a node with two children is replaced by the next one. */
static void erase(struct node **root, int key)
{
    struct node **link = root;

    while ((*link)->key != key) {
        (*link)->size--;
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    }
    struct node *gone = *link;
    if (gone->left == NULL) {
        *link = gone->right;
    } else if (gone->right == NULL) {
        *link = gone->left;
    } else {
        struct node *next = take_smallest(&gone->right);
        next->left = gone->left;
        next->right = gone->right;
        next->size = gone->size - 1;
        *link = next;
    }
    gone->left = gone->right = NULL;
}

/* The largest key that is at most the given one. */
static const struct node *floor_of(const struct node *n, int key)
{
    const struct node *best = NULL;

    while (n != NULL) {
        if (n->key == key)
            return n;
        if (n->key < key) {
            best = n;
            n = n->right;
        } else {
            n = n->left;
        }
    }
    return best;
}

/* The smallest key that is at least the given one. */
static const struct node *ceiling_of(const struct node *n, int key)
{
    const struct node *best = NULL;

    while (n != NULL) {
        if (n->key == key)
            return n;
        if (n->key > key) {
            best = n;
            n = n->left;
        } else {
            n = n->right;
        }
    }
    return best;
}

/* How many keys are smaller than the given one. */
static int rank_of(const struct node *n, int key)
{
    int smaller = 0;

    while (n != NULL) {
        if (key <= n->key) {
            n = n->left;
        } else {
            smaller += size_of(n->left) + 1;
            n = n->right;
        }
    }
    return smaller;
}

/* The key with the given rank, or NULL. */
static const struct node *select_rank(const struct node *n, int rank)
{
    while (n != NULL) {
        int before = size_of(n->left);
        if (rank == before)
            break;
        if (rank < before) {
            n = n->left;
        } else {
            rank -= before + 1;
            n = n->right;
        }
    }
    return n;
}

static int height(const struct node *n)
{
    if (n == NULL)
        return 0;
    int left = height(n->left), right = height(n->right);
    return 1 + (left > right ? left : right);
}

/* Prints the keys from low to high and returns how many they are. */
static int print_range(const struct node *n, int low, int high)
{
    int count = 0;

    if (n == NULL)
        return 0;
    if (n->key > low)
        count += print_range(n->left, low, high);
    if (n->key >= low && n->key <= high) {
        printf("%d ", n->key);
        count++;
    }
    if (n->key < high)
        count += print_range(n->right, low, high);
    return count;
}

/* Prints the tree as (left key right), with a dot for nothing beside a child. */
static void print_shape(const struct node *n)
{
    if (n == NULL) {
        putchar('.');
        return;
    }
    if (n->left == NULL && n->right == NULL) {
        printf("%d", n->key);
        return;
    }
    putchar('(');
    print_shape(n->left);
    printf(" %d ", n->key);
    print_shape(n->right);
    putchar(')');
}

static void print_key(const struct node *n)
{
    if (n == NULL)
        puts("none");
    else
        printf("%d\n", n->key);
}

static int argument(void)
{
    const char *text = strtok(NULL, " \t\r\n");
    char *end;

    if (text == NULL)
        fail("missing number");
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0')
        fail("bad number");
    if (value < -LIMIT || value > LIMIT)
        fail("number out of range");
    return (int)value;
}

static void change(struct node **root, int adds)
{
    int key = argument();
    int there = find(*root, key) != NULL;

    if (adds && !there)
        insert(root, key);
    else if (!adds && there)
        erase(root, key);
    else
        puts(there ? "already there" : "not there");
}

static void run(struct node **root, const char *command)
{
    if (strcmp(command, "add") == 0) {
        change(root, 1);
    } else if (strcmp(command, "del") == 0) {
        change(root, 0);
    } else if (strcmp(command, "has") == 0) {
        puts(find(*root, argument()) != NULL ? "yes" : "no");
    } else if (strcmp(command, "floor") == 0) {
        print_key(floor_of(*root, argument()));
    } else if (strcmp(command, "ceiling") == 0) {
        print_key(ceiling_of(*root, argument()));
    } else if (strcmp(command, "rank") == 0) {
        printf("%d\n", rank_of(*root, argument()));
    } else if (strcmp(command, "select") == 0) {
        print_key(select_rank(*root, argument()));
    } else if (strcmp(command, "range") == 0) {
        int low = argument();
        int high = argument();
        printf("(%d)\n", print_range(*root, low, high));
    } else if (strcmp(command, "size") == 0) {
        printf("%d\n", size_of(*root));
    } else if (strcmp(command, "height") == 0) {
        printf("%d\n", height(*root));
    } else if (strcmp(command, "shape") == 0) {
        print_shape(*root);
        putchar('\n');
    } else {
        fail("unknown command");
    }
    if (strtok(NULL, " \t\r\n") != NULL)
        fail("too many words");
}

int main(void)
{
    char line[MAX_LINE];
    struct node *root = NULL;

    while (fgets(line, sizeof line, stdin) != NULL) {
        line_number++;
        const char *command = strtok(line, " \t\r\n");
        if (command != NULL && *command != '#')
            run(&root, command);
    }
    return 0;
}
