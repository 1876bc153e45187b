using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Objects;

/// <summary>Acceptance case 5 of the pile: random operations against a dictionary, and all structures against each
/// other again and again. CLUSTER_PILE_FUZZ_SEED and CLUSTER_PILE_FUZZ_OPERATIONS set another run.</summary>
[Trait("Case", "pile-5")]
public sealed class ModelFuzzTests(ITestOutputHelper output)
{
    private const int SizeMax = 64 * 1024;
    private const long OperationsShort = 250_000;
    private const long OperationsMillion = 1_000_000;
    private const long OperationsLong = 100_000_000;
    private const int ValidationsShort = 5;
    private const int ValidationsMillion = 10;

    [Fact]
    public void RandomOperations_AgreeWithModel() =>
        Run(new ModelFuzz(Piles.Create(48 * Piles.MiB), Seed(1), SizeMax), OperationsShort, ValidationsShort);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public void RandomOperations_Million_AgreeWithModel() =>
        Run(new ModelFuzz(Piles.Create(48 * Piles.MiB), Seed(1), SizeMax), OperationsMillion, ValidationsMillion);

    [Theory]
    [InlineData(2, 600)]
    [InlineData(3, 3_000_000)]
    public void RandomOperations_OfOtherSizes_AgreeWithModel(int seed, int sizeMax)
    {
        var operations = sizeMax > SizeMax ? OperationsShort / 50 : OperationsShort;
        Run(new ModelFuzz(Piles.Create(48 * Piles.MiB), Seed(seed), sizeMax), operations, ValidationsShort);
    }

    [Fact]
    public void RandomOperations_UntilGenerationsRunOut_AgreeWithModel()
    {
        var pile = new LocalPile(new PileOptions
        {
            BudgetBytes = 48 * Piles.MiB,
            GenerationFirst = Cluster.Pile.Layout.GenerationMask.CounterMax - 30,
        });
        Run(new ModelFuzz(pile, Seed(4), 2000), OperationsShort * 2 / 5, ValidationsShort);
    }

    [Fact]
    [Trait("Category", "Soak")]
    public void RandomOperations_HundredMillion_AgreeWithModel()
    {
        var operations = Setting("CLUSTER_PILE_FUZZ_OPERATIONS", OperationsLong);
        var validations = (int)Math.Max(1, operations / OperationsMillion);
        Run(new ModelFuzz(Piles.Create(512 * Piles.MiB), Seed(5), SizeMax), operations, validations);
    }

    private void Run(ModelFuzz fuzz, long operations, int validations)
    {
        using (fuzz)
        {
            output.WriteLine($"Seed {fuzz.Seed}.");
            for (var part = 0; part < validations; part++)
            {
                fuzz.Run(operations / validations);
                fuzz.Validate();
            }

            fuzz.DeleteAll();
            output.WriteLine(fuzz.ToString());
            fuzz.CheckAllWasUsed();
        }
    }

    private static int Seed(int standard) => (int)Setting("CLUSTER_PILE_FUZZ_SEED", standard);

    private static long Setting(string name, long standard) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text
            ? long.Parse(text, CultureInfo.InvariantCulture)
            : standard;
}
