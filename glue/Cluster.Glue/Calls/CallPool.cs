using System.Collections.Concurrent;

namespace Cluster.Glue.Calls;

/// <summary>A bounded pool of call objects, which live across threads from send to completion. Thread-safe.</summary>
internal sealed class CallPool<T>(Func<T> create, int countMax)
    where T : class
{
    private readonly ConcurrentQueue<T> _items = new();
    private int _count;
    private T? _fast;

    public T Rent()
    {
        T? item = _fast;
        if (item is not null && Interlocked.CompareExchange(ref _fast, null, item) == item)
            return item;
        if (!_items.TryDequeue(out item))
            return create();
        Interlocked.Decrement(ref _count);
        return item;
    }

    public void Return(T item)
    {
        if (_fast is null && Interlocked.CompareExchange(ref _fast, item, null) is null)
            return;
        if (Interlocked.Increment(ref _count) <= countMax)
            _items.Enqueue(item);
        else
            Interlocked.Decrement(ref _count);
    }
}
