using Shop.Catalog;

namespace Shop.Drive.Load;

/// <summary>One caller that explores packages, one after the other. Used by one loop.</summary>
internal sealed class BrowserCaller(LoadContext context, ICatalog catalog, Random random)
{
    private const int DependentsFromMax = 10_000;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
            await ExploreAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task ExploreAsync(CancellationToken cancellationToken)
    {
        var package = context.PickPackage(random);
        var started = context.Time.GetTimestamp();
        try
        {
            var answer = await catalog.ExploreAsync(package, random.Next(DependentsFromMax), cancellationToken)
                .ConfigureAwait(false);
            if (NeighbourhoodCheck.FindProblem(answer, package) is { } problem)
                throw new WrongReplyException($"The neighbourhood of {package} {problem}.");
            context.CountAnswered(started, answer!.Node);
        }
        catch (Exception failure)
        {
            var outcome = await context.Judge
                .JudgeAsync(failure, started, isRepeated: true, cancellationToken).ConfigureAwait(false);
            await context.CountFailureAsync(nameof(ICatalog.ExploreAsync), failure, outcome, cancellationToken)
                .ConfigureAwait(false);
        }
    }
}
