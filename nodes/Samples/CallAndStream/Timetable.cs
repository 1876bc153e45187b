namespace CallAndStream;

/// <summary>The service: an ordinary class that implements the contract.</summary>
public sealed class Timetable : ITimetable
{
    private static readonly string[] Line = ["Bern", "Burgdorf", "Olten", "Basel"];

    /// <inheritdoc />
    public Task<Station> FindLineAsync(string origin, string destination, CancellationToken cancellationToken)
    {
        var (first, last) = (Array.IndexOf(Line, origin), Array.IndexOf(Line, destination));
        if (first < 0 || last < first)
            throw new ArgumentException($"No line goes from {origin} to {destination}.");
        var station = new Station(origin);
        var tail = station;
        foreach (var name in Line[(first + 1)..(last + 1)])
            tail = tail.Append(new Station(name));
        return Task.FromResult(station);
    }

    /// <inheritdoc />
    public async IAsyncEnumerable<string> FollowAsync(
        Station first, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        for (var stop = first; stop is not null; stop = stop.Next)
        {
            yield return $"The train is in {stop.Name}.";
            await Task.Delay(TimeSpan.FromMilliseconds(100), TimeProvider.System, cancellationToken);
        }
    }
}
