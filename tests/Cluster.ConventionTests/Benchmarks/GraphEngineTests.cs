using Cluster.Benchmarks.GraphEngine;
using Cluster.Testing.GraphEngine;

namespace Cluster.ConventionTests.Benchmarks;

/// <summary>Both sides of the Graph Engine test, C# and C++, compute the same checksum.</summary>
public sealed class GraphEngineTests
{
    // unordered_map.cpp prints this checksum for the same number of iterations.
    private const int Iterations = 65_536;
    private const ulong Checksum = 0xBF5F80C50BA5D976;

    [Fact]
    public void Sequence_AppliedToADictionary_GivesWhatTheOtherSidePrints()
    {
        var cells = new Dictionary<long, (ushort Type, byte Fill)>();
        var sequence = CellSequence.Start();
        for (var i = 0; i < Iterations; i++)
        {
            var step = sequence.Next();
            cells[step.Id] = (step.Type, step.Fill);
            if (step.Removes)
                cells.Remove(step.Id);
        }

        var sum = 0UL;
        var bytes = new byte[CellSequence.CellBytes];
        foreach (var (id, cell) in cells)
        {
            bytes.AsSpan().Fill(cell.Fill);
            sum += CellChecksum.Of(id, cell.Type, bytes);
        }

        Assert.Equal(Checksum, sum);
    }

    [Fact]
    public void Result_AsALine_IsReadAsTheSame()
    {
        var result = new GraphEngineResult(1.25, 1024, 4096, 3, 942, 0xE02FD8838D8F6E51);
        Assert.Equal(result, GraphEngineResult.Parse(result.ToLine()));
    }

    [Fact]
    public void Result_OfAnotherLine_SaysWhatWasExpected() =>
        Assert.Contains(
            "checksum", Assert.Throws<FormatException>(() => GraphEngineResult.Parse("1 2")).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Program_WithUnknownOption_PrintsTheUsage()
    {
        var output = new StringWriter();
        Assert.Equal(2, GraphEngineProgram.Run(["--scale", "none"], output));
        Assert.Contains("usage", output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(942, 0xE02FD8838D8F6E51, 0, "the same")]
    [InlineData(942, 0xE02FD8838D8F6E52, 1, "DIFFERENT")]
    [InlineData(941, 0xE02FD8838D8F6E51, 1, "DIFFERENT")]
    public void Program_WhoseSidesDiffer_Fails(long live, ulong checksum, int exitCode, string answer)
    {
        var output = new StringWriter();
        GraphEngineResult[] results =
        [
            new(1.25, 1024, 4096, 3, 942, 0xE02FD8838D8F6E51),
            new(2.5, 2048, 8192, 3, live, checksum),
        ];
        Assert.Equal(exitCode, GraphEngineProgram.Judge(results, output));
        Assert.Contains(answer, output.ToString(), StringComparison.Ordinal);
    }
}
