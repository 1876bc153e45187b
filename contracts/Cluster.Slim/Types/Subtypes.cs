namespace Cluster.Slim.Types;

/// <summary>The concrete types of assemblies, and those that fit into places of a type. Found once per assembly: a
/// search through all types of an assembly for each of its types takes seconds for a few thousand. Owned by one
/// serializer; safe for many threads.</summary>
internal sealed class Subtypes
{
    private readonly ConcurrentDictionary<Assembly, Type[]> _concrete = new();
    private readonly ConcurrentDictionary<Assembly, Dictionary<Type, List<Type>>> _byBase = new();
    private readonly ConcurrentDictionary<Type, Type[]> _parts = new();
    private int _lookedAtCount;

    /// <summary>The number of types that were checked so far.</summary>
    public int LookedAtCount => Volatile.Read(ref _lookedAtCount);

    /// <summary>The types of the assembly that can have objects.</summary>
    public Type[] ConcreteOf(Assembly assembly) => _concrete.GetOrAdd(assembly, static a => FindConcrete(a));

    /// <summary>The types of an assembly that fit into a place of the type.</summary>
    public IEnumerable<Type> Of(Type type)
    {
        // A generic interface may admit other types by variance.
        if (type is { IsInterface: true, IsGenericType: true })
            return Count(ConcreteOf(type.Assembly)).Where(type.IsAssignableFrom);
        return _byBase.GetOrAdd(type.Assembly, NewIndex).TryGetValue(type, out var fitting) ? fitting : [];
    }

    /// <summary>The types that values of the type may hold.</summary>
    public Type[] PartsOf(Type type) => _parts.GetOrAdd(type, static t => [.. TypeShape.PartsOf(t)]);

    private Type[] Count(Type[] types)
    {
        Interlocked.Add(ref _lookedAtCount, types.Length);
        return types;
    }

    private Dictionary<Type, List<Type>> NewIndex(Assembly assembly)
    {
        Dictionary<Type, List<Type>> index = [];
        foreach (var type in Count(ConcreteOf(assembly)))
        {
            for (var level = type; level is not null; level = level.BaseType)
                Add(index, level, type);
            foreach (var implemented in type.GetInterfaces())
                Add(index, implemented, type);
        }

        return index;
    }

    private static void Add(Dictionary<Type, List<Type>> index, Type place, Type type)
    {
        if (TypeRules.IsFramework(place))
            return;
        if (!index.TryGetValue(place, out var fitting))
            index.Add(place, fitting = []);
        fitting.Add(type);
    }

    private static Type[] FindConcrete(Assembly assembly)
    {
        try
        {
            return Array.FindAll(assembly.GetTypes(), IsConcrete);
        }
        catch (ReflectionTypeLoadException partly)
        {
            // Types with missing references cannot be loaded, so no graph contains them.
            return [.. partly.Types.OfType<Type>().Where(IsConcrete)];
        }
    }

    private static bool IsConcrete(Type type) =>
        !type.IsAbstract && !type.IsInterface && !type.ContainsGenericParameters && !type.IsByRefLike;
}
