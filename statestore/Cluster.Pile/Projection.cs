using System.Linq.Expressions;
using Cluster.Pile.Objects;
using Cluster.Slim.Projections;

namespace Cluster.Pile;

/// <summary>Names one member of stored objects, which <see cref="LocalPile.Project"/> reads without building the
/// object. Create it once by <see cref="Projection.Create"/> and use it for any number of piles. Immutable; safe for
/// many threads.</summary>
/// <typeparam name="T">The type of the objects, or a base class or interface that has the member.</typeparam>
/// <typeparam name="TResult">The type of the member.</typeparam>
public sealed class Projection<T, TResult>
    where T : class
{
    private readonly Expression<Func<T, TResult>> _member;

    // How each pile reads the member. The entry of a pile is removed when the pile is collected.
    private readonly ConditionalWeakTable<GraphCodec, SlimProjection<T, TResult>> _plans = [];

    internal Projection(Expression<Func<T, TResult>> member)
    {
        _member = member;
        GraphCodec.CheckMember(member);
    }

    internal TResult? Read(GraphCodec codec, ReadOnlySpan<byte> payload)
    {
        if (!_plans.TryGetValue(codec, out var plan))
            plan = _plans.GetValue(codec, codec => codec.CreateProjection(_member));
        return plan.Read(payload);
    }
}

/// <summary>Creates projections; the compiler infers the type arguments from the member.</summary>
public static class Projection
{
    /// <summary>Creates a projection of one member, along a path of fields and automatic properties that begins at the
    /// object.</summary>
    /// <exception cref="ArgumentException">The expression is not such a path.</exception>
    public static Projection<T, TResult> Create<T, TResult>(Expression<Func<T, TResult>> member)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(member);
        return new Projection<T, TResult>(member);
    }
}
