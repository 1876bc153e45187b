using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Hosting;

/// <summary>Numbers the writes of one process, so that an owner recognizes a repeated one, and tells owners which
/// numbers are over (RIFL: Lee et al., SOSP 2015). Thread-safe.</summary>
internal sealed class RequestNumbers
{
    private readonly Lock _lock = new();
    private readonly Guid _client = Guid.NewGuid();
    private bool[] _isOver = new bool[64];
    private long _first = 1;
    private long _next = 1;

    /// <summary>Takes the next number.</summary>
    public long Begin()
    {
        lock (_lock)
        {
            if (_next - _first == _isOver.Length)
                GrowNeedsLock();
            _isOver[_next & (_isOver.Length - 1)] = false;
            return _next++;
        }
    }

    /// <summary>Marks a number as over: its write is never repeated.</summary>
    public void End(long number)
    {
        lock (_lock)
        {
            _isOver[number & (_isOver.Length - 1)] = true;
            while (_first < _next && _isOver[_first & (_isOver.Length - 1)])
                _first++;
        }
    }

    /// <summary>The identity of a write for its next attempt.</summary>
    public RequestId IdOf(long number) => new(_client, number, Volatile.Read(ref _first));

    private void GrowNeedsLock()
    {
        var larger = new bool[2 * _isOver.Length];
        for (var number = _first; number < _next; number++)
            larger[number & (larger.Length - 1)] = _isOver[number & (_isOver.Length - 1)];
        _isOver = larger;
    }
}
