namespace Cluster.Testing;

/// <summary>Rents arrays of the shared pool while a test runs, and checks that no other code writes into them: code
/// that returns an array too early writes into one of these sooner or later. Protected by a lock.</summary>
public sealed class CanaryArrays : IDisposable
{
    private const int HeldMax = 96;
    private const byte Song = 0xA7;

    private static readonly int[] Sizes = [4 * 1024, 16 * 1024, 32 * 1024, 64 * 1024, 128 * 1024];
    private static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(2);

    private readonly Lock _gate = new();
    private readonly Queue<byte[]> _held = new();
    private readonly ITimer _timer;
    private string? _finding;
    private bool _isDisposed;

    /// <summary>Starts a timer that rents arrays.</summary>
    public CanaryArrays() => _timer = TimeProvider.System.CreateTimer(
        static canaries => ((CanaryArrays)canaries!).Rent(), this, TimeSpan.Zero, Pace);

    /// <summary>The number of arrays that were checked.</summary>
    public int CheckedCount { get; private set; }

    /// <summary>Rents one array of each size on this thread, and checks the arrays that were rented first.</summary>
    public void Rent()
    {
        lock (_gate)
        {
            if (_isDisposed)
                return;
            foreach (var size in Sizes)
            {
                var array = ArrayPool<byte>.Shared.Rent(size);
                Array.Fill(array, Song);
                _held.Enqueue(array);
            }

            while (_held.Count > HeldMax)
                CheckNeedsLock(_held.Dequeue());
        }
    }

    /// <summary>Checks all held arrays. Fails the test if other code wrote into one.</summary>
    public void Check()
    {
        lock (_gate)
        {
            while (_held.TryDequeue(out var array))
                CheckNeedsLock(array);
            if (_finding is not null)
                throw new Xunit.Sdk.XunitException(_finding);
        }
    }

    /// <summary>Stops the renting and checks all held arrays.</summary>
    public void Dispose()
    {
        _timer.Dispose();
        lock (_gate)
            _isDisposed = true;
        Check();
    }

    private void CheckNeedsLock(byte[] array)
    {
        CheckedCount++;
        var at = array.AsSpan().IndexOfAnyExcept(Song);
        // A damaged array is not returned to the pool: the faulty code may still write into it.
        if (at < 0)
            ArrayPool<byte>.Shared.Return(array);
        else
            _finding ??= $"Somebody wrote into a rented array of {array.Length} bytes, at {at}: "
                + Convert.ToHexString(array.AsSpan(at, Math.Min(32, array.Length - at)));
    }
}
