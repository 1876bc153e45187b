using System.Collections.Frozen;
using Cluster.Slim;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Signatures;

/// <summary>The types that callers may name as type arguments of a contract's generic methods: its closed list, the
/// types that its methods mention, and abstract ones that types on the list derive from. Immutable.</summary>
internal sealed class TypeArgumentList(ContractDescription contract, SlimSerializer serializer)
{
    private readonly FrozenDictionary<string, Type> _types = SlimLayouts.ClosedListOf(serializer)
            .Concat(contract.TravellingTypes)
            .SelectMany(type => BasesOf(type).Prepend(type))
            .Distinct()
            .Select(type => KeyValuePair.Create(TypeText.Of(type), type))
            .DistinctBy(pair => pair.Key)
            .ToFrozenDictionary(StringComparer.Ordinal);

    /// <summary>The type that a caller names; null when it is not on the list. Names are compared, never
    /// resolved.</summary>
    public Type? Find(string name) => _types.GetValueOrDefault(name);

    private static IEnumerable<Type> BasesOf(Type type)
    {
        if (IsFramework(type))
            return [];
        IEnumerable<Type> bases = type.GetInterfaces();
        for (var next = type.BaseType; next is not null; next = next.BaseType)
            bases = bases.Append(next);
        return bases.Where(static found => !IsFramework(found));
    }

    private static bool IsFramework(Type type) => type.Assembly == typeof(object).Assembly;
}
