using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;

namespace Cluster.Slim.Types.Policy;

/// <summary>Computes the closed list of a root type: the types of fields reached from it; the concrete subtypes, in the
/// declaring assembly, of unsealed user types and interfaces among them; and the types that the options add. Used once
/// per root.</summary>
internal sealed class TypeClosure(TypeRules rules)
{
    private static readonly Type[] SequenceTypes =
    [
        typeof(List<>), typeof(HashSet<>), typeof(Queue<>), typeof(Stack<>), typeof(LinkedList<>), typeof(SortedSet<>),
        typeof(Collection<>), typeof(ObservableCollection<>), typeof(ReadOnlyCollection<>), typeof(ImmutableArray<>),
        typeof(ImmutableList<>), typeof(ImmutableHashSet<>), typeof(ImmutableSortedSet<>), typeof(FrozenSet<>),
        typeof(ConcurrentBag<>), typeof(ConcurrentQueue<>), typeof(ConcurrentStack<>), typeof(ImmutableQueue<>),
        typeof(ImmutableStack<>), typeof(BindingList<>), typeof(EqualityComparer<>), typeof(Comparer<>),
        typeof(ReadOnlyObservableCollection<>), typeof(ReadOnlySet<>),
    ];

    private static readonly Type[] MapTypes =
    [
        typeof(Dictionary<,>), typeof(SortedDictionary<,>), typeof(SortedList<,>), typeof(ReadOnlyDictionary<,>),
        typeof(ImmutableDictionary<,>), typeof(ImmutableSortedDictionary<,>), typeof(FrozenDictionary<,>),
        typeof(OrderedDictionary<,>), typeof(ConcurrentDictionary<,>),
    ];

    private static readonly Type[] UntypedTypes =
    [
        typeof(ArrayList), typeof(Hashtable), typeof(Queue), typeof(Stack), typeof(SortedList), typeof(ListDictionary),
        typeof(HybridDictionary), typeof(OrderedDictionary), typeof(StringCollection), typeof(NameValueCollection),
        typeof(StringDictionary),
    ];

    private readonly HashSet<Type> _types = [];
    private readonly HashSet<Assembly> _scanned = [];
    private readonly Queue<Type> _waiting = new();

    public IEnumerable<Type> Build(Type root)
    {
        Add(root);
        var always = WireTypes.All.Select(static p => p.Type)
            .Where(static t => t != typeof(HostReference)).Concat(FrameworkForms.SingletonTypes)
            .Concat([typeof(StringComparer), typeof(Comparer), typeof(CaseInsensitiveComparer)]);
        foreach (var type in rules.Types.Concat(always))
            Add(type);
        foreach (var type in rules.Assemblies.SelectMany(rules.Subtypes.ConcreteOf))
            Add(type);
        while (_waiting.TryDequeue(out var type))
            Visit(type);
        return _types.Where(static t => !t.IsInterface && (!t.IsAbstract || FrameworkForms.AbstractOf(t) == t));
    }

    /// <summary>Whether the root's declarations reach a place of an external interface.</summary>
    public bool ReachesExternal(Type root)
    {
        Add(root);
        while (_waiting.TryDequeue(out var type))
            Visit(type);
        return _types.Any(rules.IsExternal);
    }

    private void Add(Type type)
    {
        type = WireTypes.WrittenTypeOf(FrameworkForms.CarriedTypeOf(type));
        if (!type.IsPointer && !type.IsByRef && !type.IsByRefLike && !type.IsFunctionPointer
            && !type.ContainsGenericParameters && _types.Add(type))
            _waiting.Enqueue(type);
    }

    private void Visit(Type type)
    {
        if (rules.Codecs.ContainsKey(type) || rules.IsExternal(type))
            return;
        foreach (var part in rules.Subtypes.PartsOf(type))
            Add(part);
        if (type.IsArray)
            return;
        if (TypeRules.IsFramework(type))
        {
            AddCollections(type);
            return;
        }

        if (!type.IsSealed)
        {
            foreach (var subtype in rules.Subtypes.Of(type))
                Add(subtype);
        }

        if (rules.Predicates.Length > 0 && _scanned.Add(type.Assembly))
        {
            foreach (var match in rules.Subtypes.ConcreteOf(type.Assembly).Where(t => rules.Predicates.Any(p => p(t))))
                Add(match);
        }
    }

    // A framework interface admits the built-in collection types and no others.
    private void AddCollections(Type type)
    {
        if (!type.IsInterface)
            return;
        if (!type.IsGenericType)
        {
            foreach (var collection in UntypedTypes.Where(type.IsAssignableFrom))
                Add(collection);
            return;
        }

        var arguments = type.GetGenericArguments();
        var elements = arguments.Length == 2
            ? [typeof(KeyValuePair<,>).MakeGenericType(arguments)]
            : arguments;
        foreach (var definition in arguments.Length == 2 ? MapTypes : SequenceTypes)
            AddIfFits(type, definition, arguments);
        if (arguments.Length != 1)
            return;
        if (type.IsAssignableFrom(elements[0].MakeArrayType()))
            Add(elements[0].MakeArrayType());
        if (elements[0].IsGenericType && elements[0].GetGenericTypeDefinition() == typeof(KeyValuePair<,>))
        {
            foreach (var definition in MapTypes)
                AddIfFits(type, definition, elements[0].GetGenericArguments());
        }
    }

    private void AddIfFits(Type place, Type definition, Type[] arguments)
    {
        if (arguments.Any(static a => a.IsByRefLike || a.IsPointer || a.ContainsGenericParameters))
            return;
        var bounds = definition.GetGenericArguments();
        var needsKey = bounds.Length == 2 && Nullable.GetUnderlyingType(arguments[0]) is not null;
        if (bounds.Length != arguments.Length || needsKey)
            return;
        var closed = definition.MakeGenericType(arguments);
        if (place.IsAssignableFrom(closed))
            Add(closed);
    }
}
