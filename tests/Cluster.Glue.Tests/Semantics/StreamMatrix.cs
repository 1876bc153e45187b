namespace Cluster.Glue.Tests.Semantics;

/// <summary>Where a producer fails.</summary>
public enum ProducerFault
{
    None,
    BeforeTheStream,
    BeforeYield,
    AfterYield,
    BeforeEnd,
}

/// <summary>What a producer does; every part travels.</summary>
/// <param name="Count">Items, if nothing fails.</param>
/// <param name="Fault">Where it fails.</param>
/// <param name="IsGood">It looks at its token.</param>
public sealed record ProducerPlan(int Count, ProducerFault Fault, bool IsGood);

/// <summary>A producer by plan on either side, and a consumer of another one's items.</summary>
public interface IStreamMatrix
{
    IAsyncEnumerable<int> GiveAsync(ProducerPlan plan, CancellationToken cancellationToken = default);

    Task<int[]> TakeAsync(IAsyncEnumerable<int> items, int take);

    IAsyncEnumerable<int> PassAsync(IAsyncEnumerable<int> items, CancellationToken cancellationToken = default);
}

/// <summary>The service; notes when its producers are closed.</summary>
internal sealed class StreamMatrix(Observations seen) : IStreamMatrix
{
    // Where it has yielded before it fails.
    public const int FailsAt = 3;

    public IAsyncEnumerable<int> GiveAsync(ProducerPlan plan, CancellationToken cancellationToken) =>
        Produce(plan, () => seen.Notes.Enqueue("closed"), cancellationToken);

    public async Task<int[]> TakeAsync(IAsyncEnumerable<int> items, int take)
    {
        var taken = new List<int>();
        await TakeAsync(items, take, taken);
        return [.. taken];
    }

    public async IAsyncEnumerable<int> PassAsync(
        IAsyncEnumerable<int> items, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var item in items.WithCancellation(cancellationToken))
            yield return item;
    }

    /// <summary>The consumer of both sides.</summary>
    public static async Task TakeAsync(IAsyncEnumerable<int> items, int take, List<int> taken)
    {
        await using var reading = items.GetAsyncEnumerator();
        while (taken.Count < take && await reading.MoveNextAsync())
            taken.Add(reading.Current);
    }

    /// <summary>The producer of both sides.</summary>
    public static IAsyncEnumerable<int> Produce(
        ProducerPlan plan, Action closed, CancellationToken cancellationToken = default)
    {
        FailIf(plan.Fault == ProducerFault.BeforeTheStream);
        return MakeAsync(plan, closed, cancellationToken);
    }

    private static async IAsyncEnumerable<int> MakeAsync(
        ProducerPlan plan, Action closed, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        try
        {
            FailIf(plan.Fault == ProducerFault.BeforeYield);
            for (var i = 0; i < plan.Count; i++)
            {
                if (plan.IsGood)
                    cancellationToken.ThrowIfCancellationRequested();
                if (i % 2 == 1)
                    await Task.Yield();
                yield return i;
                FailIf(plan.Fault == ProducerFault.AfterYield && i + 1 == FailsAt);
            }

            FailIf(plan.Fault == ProducerFault.BeforeEnd);
        }
        finally
        {
            closed();
        }
    }

    private static void FailIf(bool fails)
    {
        if (fails)
            throw new InvalidOperationException("the producer failed");
    }
}
