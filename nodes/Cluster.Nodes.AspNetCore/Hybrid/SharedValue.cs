using System.Collections.Frozen;
using System.ComponentModel;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>Says which values all readers may share, because none of them can change one: texts, simple values, and
/// types with <c>[ImmutableObject(true)]</c>, as in the stock hybrid cache. Stateless.</summary>
internal static class SharedValue
{
    private static readonly FrozenSet<Type> Simple = new[]
    {
        typeof(decimal), typeof(Half), typeof(Int128), typeof(UInt128), typeof(Guid), typeof(TimeSpan),
        typeof(DateTime), typeof(DateTimeOffset), typeof(DateOnly), typeof(TimeOnly),
    }.ToFrozenSet();

    // It keeps no type of an unloaded context alive.
    private static readonly ConditionalWeakTable<Type, object> Judged = [];

    /// <summary>Whether readers may share the value.</summary>
    public static bool IsShareable(object? value) =>
        value is null or string || (bool)Judged.GetValue(value.GetType(), static type => IsImmutable(type));

    private static bool IsImmutable(Type type) => type.IsPrimitive || type.IsEnum || Simple.Contains(type)
        || type.GetCustomAttribute<ImmutableObjectAttribute>(inherit: false)?.Immutable == true;
}
