namespace Cluster.Testing.Faults;

/// <summary>What happens to the bytes that a relay carries in one direction. A stalled flow loses nothing: the bytes
/// arrive when it is opened again, as with TCP over a network that was cut. A private lock protects the fields.</summary>
/// <param name="seed">Decides the delays.</param>
public sealed class RelayFlow(int seed = 0)
{
    private readonly Lock _lock = new();
    private readonly Random _random = new(seed);
    private TaskCompletionSource? _opening;
    private RelayDelay _delay = RelayDelay.None;
    private int _damagedPercent;

    /// <summary>Whether bytes wait now.</summary>
    public bool IsStalled
    {
        get
        {
            lock (_lock)
                return _opening is not null;
        }
    }

    /// <summary>Lets all bytes wait from now on, and new connections too.</summary>
    public void Stall()
    {
        lock (_lock)
            _opening ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    /// <summary>Lets bytes pass again.</summary>
    public void Open()
    {
        lock (_lock)
        {
            _opening?.SetResult();
            _opening = null;
        }
    }

    /// <summary>Delays each chunk of bytes from now on.</summary>
    /// <param name="delay">How long.</param>
    public void Delay(RelayDelay delay)
    {
        lock (_lock)
            _delay = delay;
    }

    /// <summary>Changes a byte in some chunks from now on.</summary>
    /// <param name="percent">How many chunks of a hundred are changed.</param>
    public void Damage(int percent)
    {
        lock (_lock)
            _damagedPercent = percent;
    }

    internal void MayDamage(Span<byte> chunk)
    {
        lock (_lock)
        {
            if (chunk.Length > 0 && _random.Next(100) < _damagedPercent)
                chunk[_random.Next(chunk.Length)] ^= (byte)(1 << _random.Next(8));
        }
    }

    internal Task WaitUntilOpenAsync(CancellationToken cancellationToken)
    {
        lock (_lock)
            return _opening?.Task.WaitAsync(cancellationToken) ?? Task.CompletedTask;
    }

    internal TimeSpan DrawDelay()
    {
        lock (_lock)
            return _delay.Draw(_random);
    }
}
