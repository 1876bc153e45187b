namespace CallAndStream;

/// <summary>The contract of the service: a plain interface.</summary>
public interface ITimetable
{
    /// <summary>Finds the stops between two towns.</summary>
    /// <param name="origin">The first town.</param>
    /// <param name="destination">The last town.</param>
    /// <param name="cancellationToken">Cancels the call, also on the server.</param>
    /// <returns>The first stop, which leads to the others.</returns>
    /// <exception cref="ArgumentException">No line goes there.</exception>
    Task<Station> FindLineAsync(string origin, string destination, CancellationToken cancellationToken = default);

    /// <summary>Tells where a train is, until it has arrived.</summary>
    /// <param name="first">Where the train begins.</param>
    /// <param name="cancellationToken">Ends the stream.</param>
    IAsyncEnumerable<string> FollowAsync(Station first, CancellationToken cancellationToken = default);
}
