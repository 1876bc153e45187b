using Cluster.ConventionTests.Knots;
using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Faces;

/// <summary>Some parts of a project use another part by its small face only. <c>faces.txt</c> lists the types of other
/// folders that such a part may name. The list may become shorter, but not longer.</summary>
public sealed class FaceTests
{
    private const string ListPath = "tests/Cluster.ConventionTests/faces.txt";

    [Fact]
    public void EachUser_NamesTheTypesOfItsList_AndNoOther()
    {
        var lines = RepositorySnapshot.Current.ListLines(ListPath).Select(FaceLine.Read).ToArray();
        Assert.NotEmpty(lines);
        var problems = lines.GroupBy(line => line.Project)
            .SelectMany(project => FaceLine.ProblemsOf(ReferenceGraph.Of(project.Key), project))
            .ToArray();
        Assert.True(problems.Length == 0, string.Join('\n', problems));
    }

    [Fact]
    public void List_OfASmallProject_FindsWhatIsMissing_AndWhatIsTooMuch()
    {
        var graph = ReferenceGraph.Of(
            RepositorySnapshot.Of(
                ("glue/Small/Small.csproj", "<Project/>"),
                ("glue/Small/Top/A.cs",
                    "namespace Small.Top; class A { B b; Face face; int M() => face.Inner.Value; }"),
                ("glue/Small/Top/B.cs", "namespace Small.Top; class B;"),
                ("glue/Small/Top/In/C.cs", "namespace Small.Top.In; class C<T> { A a; Options options; }"),
                ("glue/Small/Low/Face.cs", "namespace Small; class Face { public Inner Inner; }"),
                ("glue/Small/Low/Inner.cs", "namespace Small; class Inner { public int Value; }"),
                ("glue/Small/Options.cs", "namespace Small; class Options { Top.In.C<int> c; }")),
            "Small");
        FaceLine[] lines =
        [
            FaceLine.Read("Small | Top | Low | Face Other"),
            FaceLine.Read("Small | Top/A | Low | Face Inner"),
        ];
        // A reads a member of Inner without naming it. That counts, too.
        Assert.Equal(
            [
                "Top names Low/Inner, which is not on its list",
                "Top names Options, which is not on its list",
                "Top does not name Low/Other: remove it from the list",
            ],
            FaceLine.ProblemsOf(graph, lines));
        lines = [lines[0] with { Types = ["Low/Face", "Low/Inner"] }, FaceLine.Read("Small | Top | . | Options")];
        Assert.Empty(FaceLine.ProblemsOf(graph, lines));
    }
}
