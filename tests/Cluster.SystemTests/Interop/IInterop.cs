using Cluster.Contracts;

namespace Cluster.SystemTests.Interop;

/// <summary>The contract that stock gRPC programs call and serve.</summary>
public interface IInterop
{
    /// <summary>Doubles a number; a stock server, which knows no Slim, gives the number itself.</summary>
    /// <param name="value">The number.</param>
    Task<int> DoubleAsync(int value);

    /// <summary>Gives the bytes back.</summary>
    /// <param name="bytes">Many.</param>
    Task<byte[]> EchoAsync(byte[] bytes);

    /// <summary>Fails with the message.</summary>
    /// <param name="message">What the exception says.</param>
    Task<int> FailAsync(string message);

    /// <summary>Counts up: a call that ran twice would be seen.</summary>
    Task<int> NextAsync();

    /// <summary>Counts a note.</summary>
    /// <param name="value">Not used.</param>
    [OneWay]
    Task NoteAsync(int value);

    /// <summary>How many notes there are.</summary>
    Task<int> NotesAsync();

    /// <summary>Counts a note, waits until it is cancelled, and counts another.</summary>
    /// <param name="cancellationToken">The caller's.</param>
    Task WaitAsync(CancellationToken cancellationToken);

    /// <summary>Stock servers say that they have no such method.</summary>
    Task MissingAsync();
}
