using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>Writes a value without a look at the present one.</summary>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
/// <param name="value">The value.</param>
internal sealed class PutValue<TValue>(TValue value) : IStateOperation<Stored<TValue>, long>
{
    private readonly TValue _value = value;

    public long Apply(ref Stored<TValue>? state, in OperationContext context)
    {
        var revision = Revisions.Next(state?.Revision ?? 0, context);
        state = new Stored<TValue> { Value = _value, IsDirty = true, Revision = revision };
        return revision;
    }
}
