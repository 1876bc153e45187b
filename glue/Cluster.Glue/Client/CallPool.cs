namespace Cluster.Glue.Client;

/// <summary>A bounded pool of call objects, which live across threads from send to completion. It lends objects that
/// came back recently, because they are still in the cache. One place is exchanged atomically, which saves a single
/// caller the lock; the lock protects the other places.</summary>
internal sealed class CallPool<T>(Func<T> create)
    where T : class
{
    private const int InitialCount = 64;
    private const int CountMax = 2048;

    private readonly Lock _gate = new();
    private T?[] _items = new T?[InitialCount];
    private int _count;
    private T? _last;

    public T Rent()
    {
        if (_last is not null && Interlocked.Exchange(ref _last, null) is { } last)
            return last;
        lock (_gate)
        {
            if (_count > 0)
            {
                var item = _items[--_count]!;
                _items[_count] = null;
                return item;
            }
        }

        return create();
    }

    public void Return(T item)
    {
        if (_last is null && Interlocked.CompareExchange(ref _last, item, null) is null)
            return;
        lock (_gate)
        {
            if (_count == CountMax)
                return;
            if (_count == _items.Length)
                Array.Resize(ref _items, _items.Length * 2);
            _items[_count++] = item;
        }
    }
}
