namespace Cluster.Glue.Tests.Sessions;

/// <summary>Moves large messages that hand over an object.</summary>
public interface IParcels
{
    Task PutAsync(Parcel parcel, CancellationToken cancellationToken);

    Task<Parcel> GetAsync(int bytes, bool isReturning, CancellationToken cancellationToken);
}

/// <summary>Stays with its owner.</summary>
public interface IReceipt
{
    Task SignAsync(int bytes);
}

/// <summary>A large value beside an object that is passed by reference.</summary>
public sealed class Parcel(int bytes, IReceipt? receipt)
{
    public byte[] Load { get; set; } = new byte[bytes];

    public IReceipt? Receipt { get; set; } = receipt;
}

/// <summary>Remembers what was signed for.</summary>
public sealed class Receipt : IReceipt
{
    private readonly TaskCompletionSource<int> _signature = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<int> Signature => _signature.Task;

    public Task SignAsync(int bytes)
    {
        _signature.TrySetResult(bytes);
        return Task.CompletedTask;
    }
}

/// <summary>Signs for what comes.</summary>
public sealed class Parcels : IParcels
{
    public Task PutAsync(Parcel parcel, CancellationToken cancellationToken) =>
        parcel.Receipt?.SignAsync(parcel.Load.Length) ?? Task.CompletedTask;

    public Task<Parcel> GetAsync(int bytes, bool isReturning, CancellationToken cancellationToken) =>
        Task.FromResult(new Parcel(bytes, isReturning ? new Receipt() : null));
}
