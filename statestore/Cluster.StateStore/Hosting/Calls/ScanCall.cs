using Cluster.StateStore.Engine;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>One part of a scan. Holds what was read. The key of the call only names the partition.</summary>
internal sealed class ScanCall(StateDefinition state, HashedKey place, ulong cursor, bool withValues)
    : StateCall(state, place)
{
    public ScanPage? Page { get; private set; }

    public override StateVerb Verb => StateVerb.Scan;

    public override bool IsRead => true;

    public override ValueTask<StateResult> RunAsync(
        OwnerOperations owner, RunTarget target, CancellationToken cancellationToken)
    {
        var result = owner.Scan(new ScanTarget(Key.StateId, target.Partition, cursor, withValues), out var page);
        Page = page;
        return new(result);
    }

    public override StateRequest ToRequest(in RequestTarget target) => target.Address(
        new()
        {
            Verb = Verb,
            StateId = Key.StateId,
            Cursor = cursor,
            IsWithoutValues = !withValues,
        },
        Key);

    public override void Accept(StateReply reply)
    {
        var payload = reply.Payload.ToArray()
            ?? throw new StateFormatException("Reply to a scan: it has no payload.");
        Page = new ScanPage(payload, reply.Cursor);
        reply.Payload.Return();
    }
}
