using Cluster.Glue.Client;
using Cluster.Glue.Substreams;

namespace Cluster.Glue.Sessions;

/// <summary>The calls of one link that wait for their answers, in an array of slots. A call id is the slot's generation
/// above its index, so an answer that comes too late finds a newer generation and is ignored. The thread that removes a
/// call finishes it: exactly one thread does. Protected by one lock.</summary>
/// <param name="countMax">The most calls that may be under way at once.</param>
/// <param name="generationBefore">The generation of a slot that was never used. Tests set it to reach the overflow
/// after four billion calls.</param>
internal sealed class PendingCalls(int countMax, uint generationBefore = 0)
{
    private const int IndexBits = 16;
    private const int IndexMask = (1 << IndexBits) - 1;
    private const int InitialSlots = 16;
    private const int NoSlot = -1;

    private readonly Lock _gate = new();
    private readonly Queue<TaskCompletionSource> _waiters = new();
    private Slot[] _slots = new Slot[Math.Min(InitialSlots, countMax)];
    private int _usedSlots;
    private int _freeSlot = NoSlot;
    private int _count;
    private long _earliestDeadline = long.MaxValue;
    private bool _isClosed;
    private TaskCompletionSource? _empty;

    /// <summary>One place of the array: it holds a call, or points to the next free place.</summary>
    private struct Slot
    {
        public OutgoingCall? Call;
        public long Deadline;
        public uint Generation;
        public int NextFree;
    }

    public int Count => Volatile.Read(ref _count);

    public StartResult TryAdd(OutgoingCall call, out ulong callId)
    {
        callId = 0;
        lock (_gate)
        {
            if (_isClosed)
                return StartResult.NotConnected;
            if (_count == countMax)
                return StartResult.CallsFull;
            var index = TakeSlotNeedsLock();
            ref var slot = ref _slots[index];
            slot.Call = call;
            slot.Deadline = call.Deadline;
            _earliestDeadline = Math.Min(_earliestDeadline, call.Deadline);
            // The generation overflows to zero after four billion calls, but no call may have id zero.
            if (++slot.Generation == 0)
                slot.Generation = 1;
            _count++;
            callId = ((ulong)slot.Generation << IndexBits) | (uint)index;
            return StartResult.Started;
        }
    }

    /// <summary>Removes a call. Null: the call has been removed already, or is another one than expected.</summary>
    public OutgoingCall? TryRemove(ulong callId, OutgoingCall? expected = null)
    {
        var index = (int)(callId & IndexMask);
        OutgoingCall? call;
        lock (_gate)
        {
            if (index >= _usedSlots || _slots[index].Generation != (uint)(callId >> IndexBits))
                return null;
            call = _slots[index].Call;
            if (call is null || (expected is not null && !ReferenceEquals(call, expected)))
                return null;
            FreeSlotNeedsLock(index);
        }

        return call;
    }

    /// <summary>Waits until a call has ended or the table is closed. Each call that ends wakes one waiter, the oldest
    /// first.</summary>
    /// <exception cref="TimeoutException">No call ended in time.</exception>
    public async Task WaitForRoomAsync(TimeSpan timeout, TimeProvider time, CancellationToken cancellationToken)
    {
        var waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_isClosed || _count < countMax)
                return;
            _waiters.Enqueue(waiter);
        }

        try
        {
            await waiter.Task.WaitAsync(timeout, time, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            // The waiter was woken at the same moment: its room goes to the next waiter.
            if (!waiter.TrySetCanceled(CancellationToken.None))
                PassOn();
            throw;
        }
    }

    /// <summary>Refuses further calls if none is under way. True: the table is closed, and nobody waits for an
    /// answer.</summary>
    public bool TryCloseIfEmpty()
    {
        lock (_gate)
        {
            _isClosed |= _count == 0;
            return _isClosed;
        }
    }

    /// <summary>Removes the calls whose deadline is not after now. Does not search before the earliest
    /// deadline.</summary>
    public IReadOnlyList<(ulong CallId, OutgoingCall Call)> RemoveExpired(long now)
    {
        if (Volatile.Read(ref _earliestDeadline) > now)
            return [];
        var expired = new List<(ulong CallId, OutgoingCall Call)>();
        lock (_gate)
        {
            _earliestDeadline = long.MaxValue;
            for (var i = 0; i < _usedSlots && _count > 0; i++)
            {
                ref var slot = ref _slots[i];
                if (slot.Call is null)
                    continue;
                if (slot.Deadline > now)
                {
                    _earliestDeadline = Math.Min(_earliestDeadline, slot.Deadline);
                    continue;
                }

                expired.Add((((ulong)slot.Generation << IndexBits) | (uint)i, slot.Call));
                FreeSlotNeedsLock(i);
            }
        }

        return expired;
    }

    /// <summary>Refuses further calls and returns the calls that were under way.</summary>
    /// <param name="keepsOneWays">Whether one-way calls stay in the table.</param>
    public List<OutgoingCall> Close(bool keepsOneWays = false)
    {
        var calls = new List<OutgoingCall>();
        lock (_gate)
        {
            _isClosed = true;
            for (var i = 0; i < _usedSlots; i++)
            {
                if (_slots[i].Call is not { } call || (keepsOneWays && call.Method.Contract.IsOneWay))
                    continue;
                calls.Add(call);
                FreeSlotNeedsLock(i);
            }

            while (_waiters.TryDequeue(out var waiter))
                waiter.TrySetResult();
        }

        return calls;
    }

    public Task WaitUntilEmptyAsync()
    {
        lock (_gate)
        {
            if (_count == 0)
                return Task.CompletedTask;
            _empty ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _empty.Task;
        }
    }

    private int TakeSlotNeedsLock()
    {
        var index = _freeSlot;
        if (index != NoSlot)
        {
            _freeSlot = _slots[index].NextFree;
            return index;
        }

        if (_usedSlots == _slots.Length)
            Array.Resize(ref _slots, Math.Min(_slots.Length * 2, countMax));
        _slots[_usedSlots].Generation = generationBefore;
        return _usedSlots++;
    }

    private void FreeSlotNeedsLock(int index)
    {
        ref var slot = ref _slots[index];
        slot.Call = null;
        slot.NextFree = _freeSlot;
        _freeSlot = index;
        _count--;
        if (_count == 0)
        {
            _empty?.TrySetResult();
            _empty = null;
        }

        WakeOneNeedsLock();
    }

    private void PassOn()
    {
        lock (_gate)
            WakeOneNeedsLock();
    }

    // Waiters run on the pool, never under the lock. A waiter that gave up is skipped.
    private void WakeOneNeedsLock()
    {
        while (_waiters.TryDequeue(out var waiter))
        {
            if (waiter.TrySetResult())
                return;
        }
    }
}
