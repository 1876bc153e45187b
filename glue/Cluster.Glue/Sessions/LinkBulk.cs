using Cluster.Glue.Client;
using Cluster.Glue.References;
using Cluster.Glue.Settings;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>Sends the large envelopes of one link. The substream and its sender are created for the first large
/// envelope. Protected by one lock; reads take no lock.</summary>
internal sealed class LinkBulk(LinkSubstreams substreams, LinkSettings settings, ReferenceTable references)
{
    private readonly Lock _gate = new();
    private BulkSender? _sender;
    private bool _takesCalls = true;
    private bool _isClosed;

    /// <summary>Bytes of large calls and answers that wait to be sent.</summary>
    public long QueuedBytes => Volatile.Read(ref _sender)?.QueuedBytes ?? 0;

    /// <summary>Whether a call must travel on the bulk substream: it is large, or it follows a large one-way call of
    /// its proxy.</summary>
    public bool Carries(OutgoingCall call) =>
        call.ArgumentBytes > GlueWire.WholeBodyBytesMax
            || (Volatile.Read(ref _sender) is { HasOrder: true } sender && sender.MustFollow(call.Route));

    /// <summary>Slows the large envelopes down, because a small envelope is sent on another substream.</summary>
    public void NoteSmall() => Volatile.Read(ref _sender)?.NoteSmall();

    /// <summary>Sends a call.</summary>
    /// <param name="header">The header of the call.</param>
    /// <param name="call">The call; its arguments are shared, not copied.</param>
    /// <param name="isFirst">No served call waits for this call: it is refused after <see cref="EndCalls"/>.</param>
    public StartResult TrySend(in EnvelopeHeader header, OutgoingCall call, bool isFirst)
    {
        var sender = Sender();
        // Handles belong to the substream that bound them.
        var named = header with
        {
            IsNamed = true,
            ContractHash = call.Method.Owner.Description.NameHash,
            Method = call.Method.Contract.SignatureHash,
            LayoutFingerprint = call.Method.LayoutFingerprint,
        };
        var isOrdered = call.Method.Contract.IsOneWay
            || call.ArgumentBytes <= GlueWire.WholeBodyBytesMax
            || sender.MustFollow(call.Route);
        var transfer = new OutgoingTransfer(named, call.ShareArguments(), call.Deadline) { IsFirst = isFirst };
        var sent = sender.TrySend(transfer, isOrdered ? call.Route : null, settings.MaxSendQueueBytes);
        if (sent != StartResult.Started)
            transfer.Release();
        return sent;
    }

    /// <summary>Sends an answer. The body is taken out of its buffer.</summary>
    public void Answer(in EnvelopeHeader header, WireBuffer body)
    {
        var transfer = new OutgoingTransfer(header, body.Detach(), deadline: 0);
        if (Sender().TrySend(transfer, proxy: null) != StartResult.Started)
            transfer.Release();
    }

    /// <summary>Cancels a call that was sent here, because nobody waits for it any more. References in its arguments
    /// are taken back unless the peer has got the whole call.</summary>
    public void CancelCall(ulong callId) => Volatile.Read(ref _sender)?.CancelCall(callId);

    /// <summary>Drops an answer that the peer no longer waits for.</summary>
    public void AbandonAnswer(ulong callId)
    {
        if (QueuedBytes > 0)
            _sender!.AbandonAnswer(callId);
    }

    /// <summary>Cancels all calls, because nobody waits for any of them any more.</summary>
    public void AbandonCalls() => Volatile.Read(ref _sender)?.AbandonCalls();

    /// <summary>Refuses further calls, because Leave follows.</summary>
    public void EndCalls()
    {
        lock (_gate)
        {
            _takesCalls = false;
            _sender?.EndCalls();
        }
    }

    public void Beat() => Volatile.Read(ref _sender)?.Beat();

    public Task WaitForRoomAsync() => Volatile.Read(ref _sender)?.WaitForRoomAsync() ?? Task.CompletedTask;

    /// <summary>Completes when the sender has handed all envelopes to the substream.</summary>
    public Task WaitUntilIdleAsync() => Volatile.Read(ref _sender)?.WaitUntilIdleAsync() ?? Task.CompletedTask;

    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            _sender?.Close();
        }
    }

    private BulkSender Sender()
    {
        if (Volatile.Read(ref _sender) is { } made)
            return made;
        var substream = substreams.OpenBulk();
        lock (_gate)
        {
            if (_sender is null)
            {
                var sender = new BulkSender(substream.Writer, settings, references);
                if (!_takesCalls)
                    sender.EndCalls();
                if (_isClosed)
                    sender.Close();
                Volatile.Write(ref _sender, sender);
            }

            return _sender;
        }
    }
}
