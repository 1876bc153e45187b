using Cluster.Glue.Faults;
using Cluster.Glue.Observation;
using Cluster.Glue.References;
using Cluster.Glue.Signatures;
using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Streams;

/// <summary>Reads a stream of this side and sends its items to the peer. It serializes items as long as they come at
/// once and credit lasts, and sends them in batches. Before it waits for the next item, it sends the items that it has.
/// One logical thread runs it; credit and stop come from the link.</summary>
internal sealed class StreamExport<T>(
    ReferenceTable table, ulong id, IAsyncEnumerable<T> source, ContractSerializer serializer)
    : Export(id, source), IStreamExport
{
    // A piece and the head of its envelope fit into one batch.
    private const int PieceBytesMax = GlueWire.BatchBytesMax - 32;
    private const int InitialBytes = 256;

    private readonly StreamCredit _credit = new();
    private readonly UnsentReferences _unsent = new();
    private readonly Activity? _call = Activity.Current;
    private readonly GlueCall _context = new(
        table.Settings.Time, long.MaxValue, table.Settings.Peer);
    private WireBuffer _items = null!;
    private WireBuffer _item = null!;
    private volatile bool _isStopped;
    private string? _reason;
    private bool _handsOver;

    public bool IsStarted => _credit.IsStarted;

    public void AddCredit(long items, long bytes)
    {
        if (_credit.Add(items, bytes))
            ThreadPool.UnsafeQueueUserWorkItem(static stream => _ = stream.RunAsync(), this, preferLocal: false);
    }

    public void Stop(string? reason = null)
    {
        _reason = reason;
        _isStopped = true;
        var isRunning = _credit.Close();
        _context.Cancel();
        if (isRunning)
            return;
        var body = new WireBuffer(InitialBytes, GlueWire.WholeBodyBytesMax);
        WriteEnd(body, null, StreamPhase.Making);
        table.Send(EnvelopeKind.End, Id, body.WrittenSpan);
        body.Reset();
        table.Remove(this);
    }

    private async Task RunAsync()
    {
        table.CountRunning(1);
        // The stream has no deadline: the deadline of the call that handed it out limits only that call.
        GlueCall.AmbientValue = _context;
        using var span = CallObservation.BeginStream(_call);
        _items = new WireBuffer(InitialBytes, int.MaxValue);
        _item = new WireBuffer(InitialBytes, table.Settings.ItemBytesMax);
        IAsyncEnumerator<T>? items = null;
        Exception? failure = null;
        try
        {
            _handsOver = serializer.ReachesReferences<T>();
            items = source.GetAsyncEnumerator(_context.CancellationToken);
            await SendItemsAsync(items).ConfigureAwait(false);
        }
        catch (Exception exception) when (_isStopped)
        {
            // Nobody waits for this failure. Most often it is the cancellation that stopped the producer.
            _ = exception;
        }
        catch (Exception exception)
        {
            failure = exception;
        }

        var closing = await CloseAsync(items).ConfigureAwait(false);
        var phase = closing is null ? StreamPhase.Making : StreamPhase.Closing;
        await EndAsync(closing ?? failure, phase).ConfigureAwait(false);
    }

    private async Task SendItemsAsync(IAsyncEnumerator<T> items)
    {
        long room = 0;
        while (true)
        {
            while (room == 0 && !_isStopped && (room = _credit.TakeItems()) == 0)
            {
                await FlushAsync().ConfigureAwait(false);
                await _credit.WaitAsync(forBytes: false).ConfigureAwait(false);
            }

            if (_isStopped)
                return;
            room--;
            var next = items.MoveNextAsync();
            if (!next.IsCompleted)
                await FlushAsync().ConfigureAwait(false);
            if (!await next.ConfigureAwait(false))
                return;
            Write(items.Current);
            if (_items.Count >= PieceBytesMax)
                await FlushAsync(PieceBytesMax).ConfigureAwait(false);
        }
    }

    private static async ValueTask<Exception?> CloseAsync(IAsyncEnumerator<T>? items)
    {
        if (items is null)
            return null;
        try
        {
            await items.DisposeAsync().ConfigureAwait(false);
            return null;
        }
        catch (Exception exception)
        {
            return exception;
        }
    }

    private async Task EndAsync(Exception? failure, StreamPhase phase)
    {
        try
        {
            await FlushAsync().ConfigureAwait(false);
            _items.Reset();
            _items.BytesMax = GlueWire.WholeBodyBytesMax;
            WriteEnd(_items, failure, phase);
            table.Send(EnvelopeKind.End, Id, _items.WrittenSpan);
        }
        finally
        {
            _items.Reset();
            _item.Reset();
            table.Remove(this);
            table.CountRunning(-1);
        }
    }

    // If the stream was stopped for a reason, the reader must not take the stop for the end of the stream.
    private void WriteEnd(WireBuffer output, Exception? failure, StreamPhase phase)
    {
        if (_reason is { } reason)
            failure ??= new OperationCanceledException(reason);
        if (failure is not null)
            StreamFaults.Write(output, phase, failure, serializer, table.Settings.ExceptionDetail);
    }

    private void Write(T item)
    {
        _item.Reset();
        try
        {
            if (_handsOver)
                WriteWithReferences(item);
            else
                serializer.Slim.Serialize(_item, item);
        }
        catch (WireLimitException limit)
        {
            throw GlueErrors.StreamItemTooLarge(typeof(T), limit);
        }
        catch (Exception exception) when (exception is not GlueException)
        {
            throw GlueErrors.StreamItemNotWritable(typeof(T), exception);
        }

        _items.WriteBlock(_item.WrittenSpan);
    }

    private void WriteWithReferences(T item)
    {
        var references = new OutgoingReferences(serializer);
        var message = new WireBuffer(InitialBytes, _item.BytesMax);
        serializer.Write(item, message, references);
        if (references.IsEmpty)
        {
            _item.WriteBytes(message.WrittenSpan);
        }
        else
        {
            references.Bind(table, message.WrittenSpan, _item);
            _unsent.Add(references, _items.Count + Varint.SizeOf((ulong)_item.Count) + _item.Count);
        }

        message.Reset();
    }

    /// <summary>Sends the serialized items in pieces, as far as credit and the link allow.</summary>
    /// <param name="bytesMin">If fewer bytes are left, they stay for later.</param>
    private async ValueTask FlushAsync(int bytesMin = 1)
    {
        var sentBytes = 0;
        while (_items.Count - sentBytes >= bytesMin && !_isStopped)
        {
            var piece = _credit.TakeBytes(Math.Min(PieceBytesMax, _items.Count - sentBytes));
            if (piece == 0)
                await _credit.WaitAsync(forBytes: true).ConfigureAwait(false);
            else if (!TrySend(_items.WrittenSpan.Slice(sentBytes, piece)))
                await SendLaterAsync(sentBytes, piece).ConfigureAwait(false);
            sentBytes += piece;
        }

        _unsent.NoteSent(sentBytes);
        if (_isStopped)
            _unsent.Unbind();
        _items.RemoveFirst(_isStopped ? _items.Count : sentBytes);
    }

    private bool TrySend(ReadOnlySpan<byte> piece)
    {
        var header = new EnvelopeHeader { Kind = EnvelopeKind.Items, CallId = Id };
        return table.Control.TryAppendCall(header, piece, FlushMode.Soon) != StartResult.QueueFull;
    }

    private async Task SendLaterAsync(int start, int length)
    {
        do
            await table.Control.WaitForRoomAsync().ConfigureAwait(false);
        while (!TrySend(_items.WrittenSpan.Slice(start, length)));
    }
}
