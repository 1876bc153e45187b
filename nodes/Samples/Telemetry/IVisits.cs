namespace Telemetry;

/// <summary>The contract of the service, which counts visits of pages.</summary>
public interface IVisits
{
    /// <summary>Counts a visit.</summary>
    /// <param name="page">What was visited.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>How many visits there were, with this one.</returns>
    Task<int> CountAsync(string page, CancellationToken cancellationToken = default);
}
