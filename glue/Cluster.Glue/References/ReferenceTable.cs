using Cluster.Glue.Faults;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;
using Cluster.Glue.Streams;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.References;

/// <summary>The objects and streams that the two sides of one link refer to: those of this side by the ids that it gave
/// them, those of the peer by the ids that came. Every message that exports one counts; the other side gives the counts
/// back, and the link's end gives back all. Protected by one lock; no user code runs under it.</summary>
internal sealed class ReferenceTable(LinkSettings settings, SubstreamWriter control, IReferenceOwner owner)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<ulong, Export> _exports = [];
    private readonly Dictionary<object, CallbackExport> _byObject = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(ulong Id, Type Contract), CallbackReference> _callbacks = [];
    private readonly Dictionary<ulong, IStreamReference> _streams = [];
    private ulong _lastId;
    private int _runningStreams;
    private int _count;
    private GlueException? _end;
    private TaskCompletionSource? _quiet;

    public LinkSettings Settings => settings;

    /// <summary>The writer for envelopes about references and streams.</summary>
    public SubstreamWriter Control => control;

    /// <summary>Whether one side refers to an object of the other.</summary>
    public bool IsUsed => Volatile.Read(ref _count) > 0;

    /// <summary>The streams of both sides that are being read.</summary>
    public int RunningStreams => Volatile.Read(ref _runningStreams);

    /// <summary>The objects and streams of this side that the peer refers to.</summary>
    public int ExportCount
    {
        get
        {
            lock (_gate)
                return _exports.Count;
        }
    }

    /// <summary>The objects and streams of the peer that this side refers to.</summary>
    public int ImportCount
    {
        get
        {
            lock (_gate)
                return _callbacks.Count + _streams.Count;
        }
    }

    /// <summary>Exports an object or stream of this side.</summary>
    /// <exception cref="GlueException">The limit was reached, or the link has ended.</exception>
    public ulong Export(Type declared, object value, ContractSerializer serializer, ReferenceLease? lease)
    {
        var isStream = ReferenceRules.IsStream(declared);
        if (!isStream)
            owner.Serve(declared);
        Export export;
        lock (_gate)
        {
            ThrowIfFullOrEndedNeedsLock();
            if (isStream)
                export = StreamShape.Of(declared).NewExport(this, ++_lastId, value, serializer);
            else if (!_byObject.TryGetValue(value, out var known))
                export = _byObject[value] = new CallbackExport(++_lastId, value);
            else
                export = known;
            export.Count++;
            if (_exports.TryAdd(export.Id, export))
                CountNeedsLock();
            if (lease is not null)
                export.Keep(lease);
        }

        (export as CallbackExport)?.Allow(declared);
        if (!isStream)
            ExportedObjects.Note(value, this);
        return export.Id;
    }

    /// <summary>The id of an object of the peer, for a message to the peer; null when the object is not the
    /// peer's.</summary>
    /// <exception cref="GlueException">It was given back already.</exception>
    public ulong? Return(object value)
    {
        switch (value)
        {
            case IRemoteObject { Reference: CallbackReference reference } when reference.Table == this:
                reference.NoteReturned();
                return reference.IsReleased ? throw GlueErrors.ReferenceGone(settings) : reference.Id;
            case IRemoteObject { Reference: IStreamReference stream } when stream.Table == this && !stream.IsStarted:
                stream.NoteReturned();
                return stream.Id;
            default:
                return null;
        }
    }

    /// <summary>Finds an object or stream of this side by the id that the peer sends back.</summary>
    public object FindOwn(ulong id)
    {
        lock (_gate)
            return _exports.TryGetValue(id, out var export) ? export.Value : throw GlueErrors.ReferenceGone(settings);
    }

    /// <summary>The object that a call is for, if it may be called by the contract; otherwise null.</summary>
    public object? FindTarget(ulong id, ContractDescription contract)
    {
        lock (_gate)
        {
            return _exports.TryGetValue(id, out var export)
                && export is CallbackExport callback && callback.Allows(contract)
                    ? callback.Value
                    : null;
        }
    }

    /// <summary>Creates or finds the user's object for an object or stream of the peer, and counts the reference that
    /// came.</summary>
    public object Import(Type declared, ulong id, ContractSerializer serializer)
    {
        lock (_gate)
        {
            ThrowIfFullOrEndedNeedsLock();
            if (ReferenceRules.IsStream(declared))
            {
                var stream = StreamShape.Of(declared).NewImport(this, id, serializer);
                if (!_streams.TryAdd(id, stream))
                    throw new WireException($"stream {id}: it was handed over before.");
                CountNeedsLock();
                return stream.NewRemote();
            }

            if (_callbacks.TryGetValue((id, declared), out var known) && known.Proxy is { } proxy)
            {
                known.Count++;
                return proxy;
            }

            var reference = new CallbackReference(this, id, declared) { Count = 1 };
            _callbacks[(id, declared)] = reference;
            CountNeedsLock();
            return reference.Proxy = owner.CreateProxy(reference);
        }
    }

    /// <summary>Notes that the users of this side gave an object of the peer back.</summary>
    public void Forget(CallbackReference reference)
    {
        long count;
        lock (_gate)
        {
            count = reference.Count;
            var key = (reference.Id, reference.Contract);
            // Another reference may have taken its place after this one's proxy was collected.
            if (_callbacks.TryGetValue(key, out var known) && known == reference)
                _callbacks.Remove(key);
            CountNeedsLock();
        }

        SendRelease(reference.Id, count);
    }

    /// <summary>Notes that a stream of the peer has ended for this side.</summary>
    public void Forget(IStreamReference stream)
    {
        lock (_gate)
        {
            _streams.Remove(stream.Id);
            CountNeedsLock();
        }
    }

    /// <summary>Counts the begin (1) or end (-1) of the reading of a stream.</summary>
    public void CountRunning(int change)
    {
        if (Interlocked.Add(ref _runningStreams, change) != 0)
            return;
        Interlocked.Exchange(ref _quiet, null)?.TrySetResult();
        owner.StreamsEnded();
    }

    public Task WaitUntilNoStreamRunsAsync()
    {
        var created = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var quiet = Interlocked.CompareExchange(ref _quiet, created, null) ?? created;
        if (RunningStreams == 0)
            quiet.TrySetResult();
        return quiet.Task;
    }

    /// <summary>Tells the peer that this side gives references back.</summary>
    public void SendRelease(ulong id, long count)
    {
        Span<byte> body = stackalloc byte[Varint.BytesMax];
        var length = Varint.Write(body, (ulong)count);
        Send(EnvelopeKind.Release, id, body[..length]);
    }

    public void Send(EnvelopeKind kind, ulong id, ReadOnlySpan<byte> body) =>
        control.Append(new EnvelopeHeader { Kind = kind, CallId = id }, body);

    /// <summary>Takes back references to an object of this side.</summary>
    public void Release(ulong id, long count)
    {
        Export? export;
        lock (_gate)
        {
            if (!_exports.TryGetValue(id, out export) || (export.Count -= count) > 0)
                return;
            // A stream that is being read ends by itself.
            if (export is IStreamExport { IsStarted: true })
                return;
            RemoveNeedsLock(export);
        }

        export.Dropped();
    }

    /// <summary>Ends a stream of this side, if the id is one, and tells its reader why.</summary>
    public void StopStream(ulong id, string reason) => FindStreamExport(id)?.Stop(reason);

    /// <summary>Removes an object of this side: the peer cannot use it any more.</summary>
    public void Remove(Export export)
    {
        lock (_gate)
        {
            if (!_exports.ContainsKey(export.Id))
                return;
            RemoveNeedsLock(export);
        }

        export.Dropped();
    }

    /// <summary>Makes calls of the peer to an object of this side fail from now on.</summary>
    public void Revoke(object value)
    {
        CallbackExport? export;
        lock (_gate)
            _byObject.TryGetValue(value, out export);
        if (export is not null)
            Remove(export);
    }

    /// <summary>Handles an envelope about streams and references. False: it is another envelope.</summary>
    public bool TryHandle(in Envelope envelope)
    {
        var body = new WireReader(envelope.Body);
        switch (envelope.Kind)
        {
            case EnvelopeKind.Items:
                FindStream(envelope.CallId)?.Arrived(envelope.Body);
                return true;
            case EnvelopeKind.End:
                FindStream(envelope.CallId)?.Ended(envelope.Body);
                return true;
            case EnvelopeKind.Credit:
                long items = body.ReadLength(int.MaxValue, "credit in items");
                long bytes = body.ReadLength(int.MaxValue, "credit in bytes");
                if (FindStreamExport(envelope.CallId) is { } stream)
                    stream.AddCredit(items, bytes);
                else
                    SendEndOfNone(envelope.CallId);
                return true;
            case EnvelopeKind.Stop:
                FindStreamExport(envelope.CallId)?.Stop();
                return true;
            case EnvelopeKind.Release:
                Release(envelope.CallId, body.ReadLength(int.MaxValue, "references"));
                return true;
            default:
                return false;
        }
    }

    /// <summary>Ends all references of both sides, because the link has ended.</summary>
    public void End(GlueException cause)
    {
        Export[] exports;
        IStreamReference[] streams;
        lock (_gate)
        {
            _end = cause;
            exports = [.. _exports.Values];
            streams = [.. _streams.Values];
            _exports.Clear();
            _byObject.Clear();
            _callbacks.Clear();
            _streams.Clear();
            CountNeedsLock();
        }

        foreach (var stream in streams)
            stream.Gone(GlueErrors.StreamGone(settings, cause));
        foreach (var export in exports)
        {
            (export as IStreamExport)?.Stop();
            export.Dropped();
        }
    }

    // The stream's end may have come before the message that exported it. A reader that knows the end ignores this one.
    private void SendEndOfNone(ulong id)
    {
        var body = new WireBuffer(128, GlueWire.WholeBodyBytesMax);
        StreamFaults.WriteGone(body);
        Send(EnvelopeKind.End, id, body.WrittenSpan);
        body.Reset();
    }

    private IStreamReference? FindStream(ulong id)
    {
        lock (_gate)
            return _streams.GetValueOrDefault(id);
    }

    private IStreamExport? FindStreamExport(ulong id)
    {
        lock (_gate)
            return _exports.GetValueOrDefault(id) as IStreamExport;
    }

    private void RemoveNeedsLock(Export export)
    {
        _exports.Remove(export.Id);
        if (export is CallbackExport)
            _byObject.Remove(export.Value);
        CountNeedsLock();
    }

    private void ThrowIfFullOrEndedNeedsLock()
    {
        if (_end is { } end)
            throw GlueErrors.StreamGone(settings, end);
        if (_exports.Count + _callbacks.Count + _streams.Count >= settings.MaxReferences)
            throw GlueErrors.ReferenceLimit(settings);
    }

    private void CountNeedsLock() =>
        Volatile.Write(ref _count, _exports.Count + _callbacks.Count + _streams.Count);
}
