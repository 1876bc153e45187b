using Cluster.Contracts;

namespace Cluster.SystemTests.Interop;

/// <summary>The contract that stock gRPC programs call and serve.</summary>
public interface IInterop
{
    /// <summary>Doubles a number. A stock server cannot read Slim and returns the number unchanged.</summary>
    /// <param name="value">The number.</param>
    Task<int> DoubleAsync(int value);

    /// <summary>Returns the same bytes.</summary>
    /// <param name="bytes">A large array.</param>
    Task<byte[]> EchoAsync(byte[] bytes);

    /// <summary>Throws an exception.</summary>
    /// <param name="message">The message of the exception.</param>
    Task<int> FailAsync(string message);

    /// <summary>Returns a number that rises with each call, so that a test notices a call that ran twice.</summary>
    Task<int> NextAsync();

    /// <summary>Counts a note.</summary>
    /// <param name="value">Not used.</param>
    [OneWay]
    Task NoteAsync(int value);

    /// <summary>Returns the number of counted notes.</summary>
    Task<int> NotesAsync();

    /// <summary>Counts a note, waits until it is cancelled, and counts another note.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    Task WaitAsync(CancellationToken cancellationToken);

    /// <summary>A method that stock servers do not have.</summary>
    Task MissingAsync();
}
