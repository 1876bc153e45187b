using Cluster.Testing;

namespace Cluster.Glue.Tests.Semantics;

/// <summary>Every place where a producer may fail, for producers that look at their token and for those that do not,
/// for consumers that take nothing, one item or all, on either side and through both.</summary>
[Trait("Case", "glue-42")]
[Trait("Case", "glue-27")]
public abstract class StreamMatrixTests(SemanticBinding binding) : SemanticTests(binding)
{
    private const int Items = 8;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    // One server serves all plans of a fault: to start one for each takes longer than the plans.
    private static readonly (bool IsGood, int Take)[] Plans =
    [
        .. from take in (int[])[0, 1, int.MaxValue] from isGood in (bool[])[true, false] select (isGood, take),
    ];

    public static TheoryData<ProducerFault> Faults { get; } = [.. Enum.GetValues<ProducerFault>()];

    // A producer that fails before there is a stream fails before there is a call.
    public static TheoryData<ProducerFault> FaultsOfArguments { get; } =
        [.. Enum.GetValues<ProducerFault>().Where(static fault => fault != ProducerFault.BeforeTheStream)];

    [Theory]
    [MemberData(nameof(Faults))]
    public Task ResultStream_DoesAsItsProducer(ProducerFault fault) => ForAllPlansAsync(fault, CheckResultStreamAsync);

    private async Task CheckResultStreamAsync(ProducerFault fault, bool isGood, int take)
    {
        var matrix = Proxy<IStreamMatrix>();
        Seen.Notes.Clear();
        var plan = new ProducerPlan(CountFor(take), fault, isGood);
        var taken = new List<int>();
        var failure = await Record.ExceptionAsync(
            () => StreamMatrix.TakeAsync(matrix.GiveAsync(plan), take, taken));
        Check(fault, take, taken, failure);
        if (take > 0 && fault != ProducerFault.BeforeTheStream)
            await Eventually.TrueAsync(() => Seen.Notes.Contains("closed"), Bound);
        await CheckAliveAsync(matrix);
    }

    [Theory]
    [MemberData(nameof(FaultsOfArguments))]
    public Task ArgumentStream_DoesAsItsProducer(ProducerFault fault) => ForAllPlansAsync(fault, CheckArgumentStreamAsync);

    private async Task CheckArgumentStreamAsync(ProducerFault fault, bool isGood, int take)
    {
        var matrix = Proxy<IStreamMatrix>();
        var closed = new TaskCompletionSource();
        int[] taken = [];
        var failure = await Record.ExceptionAsync(async () => taken = await matrix.TakeAsync(
            StreamMatrix.Produce(new ProducerPlan(CountFor(take), fault, isGood), () => closed.TrySetResult()), take));
        // Of a method that failed there are no items.
        if (failure is null)
            Check(fault, take, taken, failure);
        else
            CheckFailure(fault, take, failure);
        if (take > 0)
            await closed.Task.WaitAsync(Bound);
        await CheckAliveAsync(matrix);
    }

    [Theory]
    [MemberData(nameof(FaultsOfArguments))]
    public Task StreamThroughBoth_DoesAsItsProducer(ProducerFault fault) => ForAllPlansAsync(fault, CheckStreamThroughBothAsync);

    private async Task CheckStreamThroughBothAsync(ProducerFault fault, bool isGood, int take)
    {
        var matrix = Proxy<IStreamMatrix>();
        var closed = new TaskCompletionSource();
        var taken = new List<int>();
        var failure = await Record.ExceptionAsync(() => StreamMatrix.TakeAsync(
            matrix.PassAsync(
                StreamMatrix.Produce(new ProducerPlan(CountFor(take), fault, isGood), () => closed.TrySetResult())),
            take,
            taken));
        Check(fault, take, taken, failure);
        if (take > 0)
            await closed.Task.WaitAsync(Bound);
        await CheckAliveAsync(matrix);
    }

    private static async Task ForAllPlansAsync(ProducerFault fault, Func<ProducerFault, bool, int, Task> checkAsync)
    {
        foreach ((var isGood, var take) in Plans)
        {
            var failure = await Record.ExceptionAsync(() => checkAsync(fault, isGood, take));
            Assert.True(failure is null, $"{fault}, good: {isGood}, takes {take}: {failure}");
        }
    }

    // Who leaves early leaves a producer that has more than the window.
    private static int CountFor(int take) => take == int.MaxValue ? Items : 100_000;

    private static async Task CheckAliveAsync(IStreamMatrix matrix)
    {
        var plan = new ProducerPlan(Items, ProducerFault.None, IsGood: true);
        var taken = await matrix.TakeAsync(StreamMatrix.Produce(plan, static () => { }), 1);
        Assert.Equal([0], taken);
    }

    private static void Check(ProducerFault fault, int take, IEnumerable<int> taken, Exception? failure)
    {
        var made = fault switch
        {
            ProducerFault.BeforeTheStream or ProducerFault.BeforeYield => 0,
            ProducerFault.AfterYield => StreamMatrix.FailsAt,
            _ => Items,
        };
        Assert.Equal(Enumerable.Range(0, Math.Min(take, made)), taken);
        CheckFailure(fault, take, failure);
    }

    private static void CheckFailure(ProducerFault fault, int take, Exception? failure)
    {
        var isMet = take > 0 && fault switch
        {
            ProducerFault.None => false,
            ProducerFault.BeforeTheStream or ProducerFault.BeforeYield => true,
            _ => take == int.MaxValue,
        };
        if (isMet)
            Assert.Equal("the producer failed", Assert.IsType<InvalidOperationException>(failure).Message);
        else
            Assert.Null(failure);
    }
}
