using Cluster.ConventionTests.Model;
using Xunit.Abstractions;

namespace Cluster.ConventionTests.Knots;

/// <summary>A reader can understand a part of a project without the parts above it: few types lie in one cycle of
/// references, and few references point back to an earlier folder. <c>knots.txt</c> lists the limits of each project. A
/// limit may fall but not rise.</summary>
public sealed class KnotTests(ITestOutputHelper output)
{
    private const string ListPath = "tests/Cluster.ConventionTests/knots.txt";

    // If a limit were not lowered together with the figure, a new knot could use the difference.
    private const double Slack = 0.01;

    public static TheoryData<string, double, double> Limits
    {
        get
        {
            var limits = new TheoryData<string, double, double>();
            foreach (var parts in RepositorySnapshot.Current.ListLines(ListPath).Select(line => line.Split('|')))
                limits.Add(parts[0].Trim(), PercentOf(parts[1]), PercentOf(parts[2]));

            return limits;
        }
    }

    [Theory]
    [MemberData(nameof(Limits))]
    public void Project_HasNoMoreKnots_ThanTheListAllows(string project, double cycleMax, double backMax)
    {
        var graph = ReferenceGraph.Of(project);
        Assert.True(graph.Folders.Count > 20, $"{project}: only {graph.Folders.Count} types were read");
        var cycle = KnotMeasure.CycleShare(graph);
        var (order, back) = KnotMeasure.BackReferences(graph);
        output.WriteLine($"{project}: {graph.Folders.Count} types, {cycle:P1} in the largest cycle, {back:P1} back");
        output.WriteLine($"folders, users first: {string.Join(" ", order.Select(one => one.Length == 0 ? "." : one))}");
        output.WriteLine($"the cycle: {string.Join(" ", KnotMeasure.LargestCycle(graph))}");
        Assert.True(cycle <= cycleMax, $"{project}: {cycle:P1} of the types lie in one cycle, {cycleMax:P1} may");
        Assert.True(back <= backMax, $"{project}: {back:P1} of the references point back, {backMax:P1} may");
        Assert.True(cycle > cycleMax - Slack, $"{project}: lower the limit of cycles in {ListPath} to {cycle:P1}");
        Assert.True(back > backMax - Slack, $"{project}: lower the limit of references in {ListPath} to {back:P1}");
    }

    [Fact]
    public void Counter_OfASmallProject_FindsItsCycleAndItsBackReferences()
    {
        var graph = ReferenceGraph.Of(
            RepositorySnapshot.Of(
                ("glue/Small/Small.csproj", "<Project/>"),
                // A names B twice, and its own nested type once; B names A: a cycle of two types.
                ("glue/Small/Top/A.cs", "namespace Small; class A { B b = new B(); class Own { } Own o; }"),
                ("glue/Small/Low/B.cs", "namespace Small; class B { void M(object one) { _ = one is A; } }"),
                // C uses a member of D through a parameter, and an extension method for D.
                ("glue/Small/Top/C.cs", "namespace Small; class C { int M(D d) => d.Twice() + d.Value; }"),
                ("glue/Small/Low/D.cs", "namespace Small; class D { public int Value; }"),
                ("glue/Small/Low/E.cs", "namespace Small; static class E { public static int Twice(this D d) => 2; }")),
            "Small");
        Assert.Equal(["Small.A", "Small.B"], KnotMeasure.LargestCycle(graph));
        Assert.Equal(0.4, KnotMeasure.CycleShare(graph));
        Assert.Equal(2, graph.Sites[("Small.A", "Small.B")]);
        Assert.Equal(2, graph.Sites[("Small.C", "Small.D")]);
        Assert.Equal(1, graph.Sites[("Small.C", "Small.E")]);
        Assert.DoesNotContain(("Small.A", "Small.A"), graph.Sites.Keys);
        var (order, back) = KnotMeasure.BackReferences(graph);
        // From Top to Low: A to B twice, C to D twice, C to E once. Back: B to A once.
        Assert.Equal(["Top", "Low"], order);
        Assert.Equal(1.0 / 6, back, 6);
    }

    private static double PercentOf(string text) =>
        double.Parse(text.Trim().TrimEnd('%'), System.Globalization.CultureInfo.InvariantCulture) / 100;
}
