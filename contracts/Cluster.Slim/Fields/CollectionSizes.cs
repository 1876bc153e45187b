using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Dynamic;
using Cluster.Slim.Types;

namespace Cluster.Slim.Fields;

/// <summary>Tells how much memory a collection allocates for each entry. Readers charge it before they fill the
/// collection. A row has bytes in addition to the entry, and the number of copies of the entry; nodes, index and growth
/// are included. A test measures every row.</summary>
internal static class CollectionSizes
{
    // For hashed and linked collections without a row.
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

        // For each member that is added, an ExpandoObject creates a new list of its members. It has at most 1,024 of
        // them.
        [typeof(ExpandoObject)] = (2048 + 64, 1),
    };

    /// <summary>The bytes that the collection allocates for one entry of <paramref name="memoryBytes"/>
    /// bytes.</summary>
    public static long EntryBytesOf(Type collection, int memoryBytes)
    {
        var definition = collection.IsGenericType ? collection.GetGenericTypeDefinition() : collection;
        (var bytes, var copies) = Table.GetValueOrDefault(definition, Other);
        return bytes + (copies * (long)TypeShape.Aligned(memoryBytes));
    }
}
