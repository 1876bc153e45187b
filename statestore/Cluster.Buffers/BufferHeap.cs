using Cluster.Buffers.Errors;
using Cluster.Buffers.Extents;
using Cluster.Buffers.Handles;
using Cluster.Pile;
using Cluster.Pile.Hosting;

namespace Cluster.Buffers;

/// <summary>The buffers of one budget: creates them, frees them, and ends the remaining ones when its pile is disposed
/// of. Its lock guards the slabs of small buffers and the closing.</summary>
internal sealed class BufferHeap(string name, IExtentSource source, BufferWatch watch) : IPileTenant
{
    private static readonly ConcurrentDictionary<int, BufferHeap> Open = [];
    private static int _idLast;

    private readonly IExtentSource _source = source;
    private readonly BufferWatch _watch = watch;
    private readonly Lock _gate = new();
    private readonly SmallBuffers _small = new SmallBuffers(source);
    private int _id;
    private int _running;
    private bool _closed;
    private long _count;
    private long _bytes;

    /// <summary>The name of the budget, for errors and leaks.</summary>
    public string Name { get; } = name;

    /// <summary>Live buffers.</summary>
    public long Count => Volatile.Read(ref _count);

    /// <summary>The requested bytes of all live buffers.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Takes a lease on a live buffer.</summary>
    public static void Retain(ulong handle)
    {
        if (!BufferTable.TryRetain(handle))
            BufferErrors.InvalidBuffer(handle);
    }

    /// <summary>Gives a lease back.</summary>
    public static void Release(ulong handle)
    {
        var step = BufferTable.Release(handle);
        if (step == BufferStep.Stale)
            BufferErrors.InvalidBuffer(handle);
        if (step == BufferStep.NotLeased)
            BufferErrors.NotLeased(handle);
    }

    /// <summary>Ends a buffer. False: the handle names no live buffer. Throws while it has leases.</summary>
    public static bool Free(ulong handle)
    {
        var step = BufferTable.Free(handle, out var ended);
        if (step == BufferStep.Leased)
            BufferErrors.BufferLeased(handle);
        if (step != BufferStep.Freed)
            return false;
        GiveBack(handle, ended);
        return true;
    }

    /// <summary>Reports a buffer whose owner was collected without freeing it. The buffer lives on, because a span of
    /// it may be in use. A holder of a handle can free it, and the end of its pile ends it.</summary>
    public static void ReportForgotten(ulong handle)
    {
        if (!BufferTable.TryFind(handle, out var access) || !Open.TryGetValue(access.Heap, out var heap))
            return;
        if (BufferTable.TryMarkForgotten(handle))
            heap._watch.Report(heap.Name, handle, access.Length);
    }

    /// <summary>Creates a buffer and returns its handle.</summary>
    public ulong Create(long bytes, BufferFill fill)
    {
        if (!TryEnter(created: 1))
            BufferErrors.BudgetDisposed(Name);
        try
        {
            var taken = Math.Max(bytes, SmallBuffers.AlignmentBytes);
            var (address, dirty) = Take(taken);
            ulong handle;
            try
            {
                if (fill == BufferFill.Zeroed)
                    Clear(address, dirty, bytes);
                handle = BufferTable.Add(address, bytes, _id);
            }
            catch (Exception failure) when (failure is PileFullException or InsufficientMemoryException)
            {
                Return(address, taken);
                throw;
            }

            Interlocked.Add(ref _bytes, bytes);
            _watch.NoteCreated(handle);
            return handle;
        }
        catch (Exception failure) when (failure is PileFullException or InsufficientMemoryException)
        {
            CountDown();
            throw;
        }
        finally
        {
            Exit();
        }
    }

    /// <summary>Ends all remaining buffers, leased or not, and reports them; their memory is not touched after this.
    /// Later calls throw.</summary>
    public void Close()
    {
        lock (_gate)
        {
            if (_closed)
                return;
            _closed = true;
        }

        var spin = default(SpinWait);
        while (Volatile.Read(ref _running) > 0)
            spin.SpinOnce(sleep1Threshold: -1);
        if (_id == 0)
            return;
        var index = 1;
        while (Count > 0 && BufferTable.FreeAny(_id, ref index, out var ended) is var handle and > 0)
        {
            if (!new BufferWord(ended.State).IsForgotten)
                _watch.Report(Name, handle, ended.Length);
            Forget(handle, ended.Length);
        }

        ForgetHeapWhenEmpty();
    }

    private static void GiveBack(ulong handle, in BufferEntry ended)
    {
        var isOpen = Open.TryGetValue(ended.Heap, out var heap);
        BufferInvariant.Holds(isOpen && heap is not null, "A heap is known until its last buffer is forgotten.");
        heap.GiveBackOwn(handle, ended);
    }

    private void GiveBackOwn(ulong handle, in BufferEntry ended)
    {
        if (TryEnter())
        {
            try
            {
                if (_watch.Diagnostics == BufferDiagnostics.Full)
                    BufferAccess.FillWithJunk(ended.Address, ended.Length);
                Return(ended.Address, Math.Max(ended.Length, SmallBuffers.AlignmentBytes));
            }
            finally
            {
                Exit();
            }
        }

        Forget(handle, ended.Length);
    }

    private void Forget(ulong handle, long bytes)
    {
        _watch.NoteFreed(handle);
        Interlocked.Add(ref _bytes, -bytes);
        BufferTable.Recycle(handle);
        CountDown();
    }

    private void CountDown()
    {
        if (Interlocked.Decrement(ref _count) == 0)
            ForgetHeapWhenEmpty();
    }

    // A thread that ended a buffer still looks for the heap, so the heap stays known until the last buffer is recycled.
    private void ForgetHeapWhenEmpty()
    {
        lock (_gate)
        {
            if (_closed && Count == 0)
                Open.TryRemove(_id, out _);
        }
    }

    private (nint Address, Interval[] Dirty) Take(long bytes)
    {
        if (bytes > SmallBuffers.BytesMax)
        {
            var extent = _source.Take(bytes, SmallBuffers.AlignmentBytes);
            return (extent.Address, extent.Dirty);
        }

        lock (_gate)
            return (_small.Take(bytes), [new Interval(0, bytes)]);
    }

    private void Return(nint address, long bytes)
    {
        if (bytes > SmallBuffers.BytesMax)
        {
            _source.Return(address, bytes);
            return;
        }

        lock (_gate)
            _small.Return(address);
    }

    private static void Clear(nint address, Interval[] dirty, long bytes)
    {
        foreach (var part in dirty)
        {
            if (part.Start < bytes)
                BufferAccess.Clear(address + (nint)part.Start, Math.Min(part.End, bytes) - part.Start);
        }
    }

    // A running operation may write to the memory, so closing waits for it.
    private bool TryEnter(int created = 0)
    {
        lock (_gate)
        {
            if (_closed)
                return false;
            Interlocked.Add(ref _count, created);
            if (_id == 0)
            {
                _id = Interlocked.Increment(ref _idLast);
                Open[_id] = this;
            }

            _running++;
            return true;
        }
    }

    private void Exit()
    {
        lock (_gate)
            _running--;
    }
}
