using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Dynamic;
using Cluster.Slim.Types;

namespace Cluster.Slim.Fields;

/// <summary>The table by which collections are charged for before they are filled: what one entry makes a collection
/// allocate, nodes, index and growth included, in bytes beside the entry and in copies of it. Measured by a test of
/// every row.</summary>
internal static class CollectionSizes
{
    // A hashed or linked kind that has no row of its own.
    private static readonly (int Bytes, int Copies) Other = (96, 2);

    private static readonly Dictionary<Type, (int Bytes, int Copies)> Table = new()
    {
        [typeof(Queue<>)] = (0, 1),
        [typeof(Stack<>)] = (0, 1),
        [typeof(LinkedList<>)] = (40, 1),
        [typeof(ConcurrentQueue<>)] = (16, 2),
        [typeof(ConcurrentStack<>)] = (24, 1),
        [typeof(ConcurrentBag<>)] = (0, 4),
        [typeof(Collection<>)] = (0, 4),
        [typeof(ObservableCollection<>)] = (160, 4),
        [typeof(KeyedCollection<,>)] = (96, 4),
        [typeof(PriorityQueue<,>)] = (0, 2),
        [typeof(HashSet<>)] = (16, 2),
        [typeof(SortedSet<>)] = (40, 2),
        [typeof(ArrayList)] = (0, 3),
        [typeof(Queue)] = (0, 4),
        [typeof(Stack)] = (0, 4),
        [typeof(StringCollection)] = (0, 4),
        [typeof(Dictionary<,>)] = (16, 2),
        [typeof(OrderedDictionary<,>)] = (16, 2),
        [typeof(SortedDictionary<,>)] = (48, 1),
        [typeof(SortedList<,>)] = (0, 2),
        [typeof(ConcurrentDictionary<,>)] = (112, 1),
        [typeof(Hashtable)] = (192, 1),
        [typeof(StringDictionary)] = (256, 1),
        [typeof(ListDictionary)] = (56, 1),
        [typeof(HybridDictionary)] = (224, 1),
        [typeof(SortedList)] = (0, 4),
        [typeof(OrderedDictionary)] = (320, 1),
        [typeof(ImmutableList<>)] = (48, 1),
        [typeof(ImmutableQueue<>)] = (32, 1),
        [typeof(ImmutableStack<>)] = (32, 1),
        [typeof(ImmutableHashSet<>)] = (96, 2),
        [typeof(ImmutableSortedSet<>)] = (48, 2),
        [typeof(ImmutableDictionary<,>)] = (128, 2),
        [typeof(ImmutableSortedDictionary<,>)] = (64, 2),
        [typeof(FrozenSet<>)] = (160, 4),
        [typeof(FrozenDictionary<,>)] = (160, 4),

        // It makes a new list of its members for each one that is added, and has at most 1,024 of them.
        [typeof(ExpandoObject)] = (2048 + 64, 1),
    };

    /// <summary>What the collection allocates for one entry of the given size.</summary>
    public static long EntryBytesOf(Type collection, int memoryBytes)
    {
        var definition = collection.IsGenericType ? collection.GetGenericTypeDefinition() : collection;
        (var bytes, var copies) = Table.GetValueOrDefault(definition, Other);
        return bytes + (copies * (long)TypeShape.Aligned(memoryBytes));
    }
}
