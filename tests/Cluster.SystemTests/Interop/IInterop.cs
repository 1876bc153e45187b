namespace Cluster.SystemTests.Interop;

/// <summary>The contract that stock gRPC programs call by its hashes.</summary>
public interface IInterop
{
    /// <summary>Doubles a number.</summary>
    /// <param name="value">The number.</param>
    Task<int> DoubleAsync(int value);
}
