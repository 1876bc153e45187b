using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Values;

/// <summary>Writes a value if the present one has a revision. The record must be in memory, also where there is no
/// value: then it is a marker.</summary>
/// <typeparam name="TValue">The value type of the stored state.</typeparam>
/// <param name="value">The value.</param>
/// <param name="expected">The revision; zero: nothing is there.</param>
internal sealed class PutIfRevision<TValue>(TValue value, long expected) : IStateOperation<Stored<TValue>, WriteAnswer>
{
    private readonly TValue _value = value;
    private readonly long _expected = expected;

    public WriteAnswer Apply(ref Stored<TValue>? state, in OperationContext context)
    {
        if (state is null)
            return new WriteAnswer(WriteOutcome.NotInMemory);
        if ((state.IsRemoved ? 0 : state.Revision) != _expected)
            return new WriteAnswer(WriteOutcome.Refused) { IsMarkerLeft = state.IsMarker };
        var revision = Revisions.Next(state.Revision, context);
        var lineage = state.Lineage;
        state = new Stored<TValue> { Value = _value, IsDirty = true, Revision = revision, Lineage = lineage };
        return new WriteAnswer(WriteOutcome.Written, revision, lineage.Id);
    }
}
