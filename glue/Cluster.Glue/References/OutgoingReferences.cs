using Cluster.Glue.Signatures;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.References;

/// <summary>The objects and streams that one message exports. They are collected while the message is written, when the
/// link may not be known yet, and get their ids when it is sent. Owned by one message.</summary>
internal sealed class OutgoingReferences(ContractSerializer serializer) : ISlimReferences
{
    private readonly List<(Type Declared, object Value)> _objects = [];
    private readonly List<ulong> _handedOut = [];
    private ReferenceTable? _table;
    private bool _isSent;

    /// <summary>Whether its objects are exported over this link, for a message that has not been sent.</summary>
    public bool IsBoundTo(ReferenceTable table) => _table == table && !_isSent;

    /// <summary>The serializer of the items of its streams.</summary>
    public ContractSerializer Serializer { get; set; } = serializer;

    public bool IsEmpty => _objects.Count == 0;

    public int Export(Type declared, object value)
    {
        // The object is known when the message is copied for a peer of another build.
        var known = _objects.FindIndex(one => ReferenceEquals(one.Value, value) && one.Declared == declared);
        if (known >= 0)
            return known;
        _objects.Add((declared, value));
        return _objects.Count - 1;
    }

    public object Import(Type declared, int number) => _objects[number].Value;

    /// <summary>Exports the objects over a link and puts their ids in front of the message.</summary>
    /// <param name="table">The table of the link.</param>
    /// <param name="message">The written message.</param>
    /// <param name="body">Is reset, and gets ids and message.</param>
    /// <param name="lease">The lease that the objects need; null: none.</param>
    /// <exception cref="Cluster.Contracts.GlueException">A limit was reached, or an object was released.</exception>
    public void Bind(ReferenceTable table, ReadOnlySpan<byte> message, WireBuffer body, ReferenceLease? lease = null)
    {
        Unbind();
        _table = table;
        body.Reset();
        body.WriteByte(GlueWire.ReferencesMark);
        body.WriteVarint((ulong)_objects.Count);
        try
        {
            foreach ((var declared, var value) in _objects)
                body.WriteVarint(HandOut(table, declared, value, lease));
            body.WriteBytes(message);
        }
        catch
        {
            Unbind();
            throw;
        }
    }

    /// <summary>Exports the objects of an answer, which is sent in any case.</summary>
    /// <param name="table">The table of the link.</param>
    /// <param name="answer">The written answer; gets the ids in front.</param>
    /// <param name="lease">The lease that the objects need.</param>
    /// <exception cref="Cluster.Contracts.GlueException">A limit was reached, or an object was released.</exception>
    public void HandOver(ReferenceTable table, WireBuffer answer, ReferenceLease lease)
    {
        var message = new WireBuffer(0, int.MaxValue);
        message.WriteBytes(answer.WrittenSpan);
        Bind(table, message.WrittenSpan, answer, lease);
        NoteSent();
        message.Reset();
    }

    /// <summary>Notes that the message is about to be sent: from then on the peer gives the references back.</summary>
    public void NoteSent() => _isSent = true;

    /// <summary>Notes that the message could not be sent after all.</summary>
    public void NoteNotSent() => _isSent = false;

    /// <summary>Stops the streams, because the caller has given the call up.</summary>
    public void StopStreams(string reason)
    {
        foreach (var id in _handedOut)
            _table?.StopStream(id, reason);
    }

    /// <summary>Takes back the exports of a message that was not sent.</summary>
    public void Unbind()
    {
        foreach (var id in _isSent ? [] : _handedOut)
            _table?.Release(id, 1);
        _handedOut.Clear();
        _table = null;
        _isSent = false;
    }

    private ulong HandOut(ReferenceTable table, Type declared, object value, ReferenceLease? lease)
    {
        if (table.Return(value) is { } peerId)
            return (peerId << 1) | GlueWire.OwnReference;
        var id = table.Export(declared, value, Serializer, lease);
        _handedOut.Add(id);
        return id << 1;
    }
}
