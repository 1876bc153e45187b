using System.Xml.Linq;
using Cluster.ConventionTests.Model;
using PublicApiGenerator;
using Xunit.Sdk;

namespace Cluster.ConventionTests.PublicApi;

/// <summary>The public surface of each library equals its approved text in docs/api, so that a review shows each change
/// of the surface as a change of that text. The sample has no such text: it is a program.</summary>
public sealed class PublicApiTests
{
    private const string UpdateVariable = "CLUSTER_UPDATE_API";
    private const int ChainMax = 1;

    // Extension methods for services and endpoints are in Microsoft's namespaces.
    private static readonly ApiGeneratorOptions Options = new()
    {
        IncludeAssemblyAttributes = false,
        DenyNamespacePrefixes = [],
    };

    // An executable has no users of its types: all of them are internal. Templates have no types.
    private static readonly string[] WithoutPublicTypes = ["Cluster.NodeHost", "Cluster.Templates"];

    public static TheoryData<string> Libraries =>
    [
        .. RepositorySnapshot.Current.Projects
            .Where(project => !project.IsTestCode && project.Name.StartsWith("Cluster.", StringComparison.Ordinal)
                && !WithoutPublicTypes.Contains(project.Name))
            .Select(project => project.Name),
    ];

    [Theory]
    [MemberData(nameof(Libraries))]
    [Trait("Case", "transport-9")]
    public void PublicApi_OfLibrary_IsTheApprovedText(string library)
    {
        var actual = Assembly.Load(library).GeneratePublicApi(Options).ReplaceLineEndings("\n") + "\n";
        var path = $"docs/api/{library}.txt";
        var file = Path.Combine(RepositorySnapshot.RootFolder, path);
        if (Environment.GetEnvironmentVariable(UpdateVariable) == "1")
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            File.WriteAllText(file, actual);
            return;
        }

        if (RepositorySnapshot.Current.Files.GetValueOrDefault(path, "") is var approved && approved != actual)
        {
            throw new XunitException(
                $"The public surface of {library} is not the approved one.\n{Difference(approved, actual)}\nIf that is "
                + $"meant: {UpdateVariable}=1 dotnet test tests/Cluster.ConventionTests -c Release --filter PublicApi");
        }
    }

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Documentation_OfLibrary_CoversEveryPublicType(string library)
    {
        var page = XDocument.Load(Path.Combine(AppContext.BaseDirectory, $"{library}.xml"));
        var undocumented = Assembly.Load(library).GetExportedTypes().Where(type => !IsDocumented(page, type));
        Assert.Empty(undocumented);
    }

    [Fact]
    public void Documentation_WithoutTheType_IsNoticed() =>
        Assert.False(IsDocumented(XDocument.Parse("<doc><members/></doc>"), typeof(PublicApiTests)));

    [Theory]
    [MemberData(nameof(Libraries))]
    public void Inheritance_WithinOurTypes_IsAtMostOneDeep(string library) =>
        Assert.All(Assembly.Load(library).GetTypes(), type => Assert.True(ChainOf(type) <= ChainMax, type.FullName));

    [Fact]
    public void Inheritance_OfAGrandchild_IsSeen() => Assert.Equal(2, ChainOf(typeof(Grandchild)));

    [Fact]
    public void Difference_OfChangedTexts_ShowsBothSides() =>
        Assert.Equal("- b\n+ c", Difference("a\nb\n", "a\nc\n"));

    private static bool IsDocumented(XDocument page, Type type) => page.Descendants("member")
        .Where(member => (string?)member.Attribute("name") == $"T:{type.FullName!.Replace('+', '.')}")
        .Any(member => member.Elements("summary").Any(summary => summary.Value.Trim().Length > 0));

    private static int ChainOf(Type type)
    {
        var count = 0;
        for (var parent = type.BaseType; IsOurs(parent); parent = parent!.BaseType)
            count += IsTypedTwin(parent!) ? 0 : 1;

        return count;
    }

    // Slot and Slot<T> count as one level: the generic class only adds the type.
    private static bool IsTypedTwin(Type type) =>
        type.IsGenericType && type.BaseType is { IsGenericType: false } twin && type.Name.Split('`')[0] == twin.Name;

    private static bool IsOurs(Type? type) =>
        type?.Assembly.GetName().Name?.StartsWith("Cluster.", StringComparison.Ordinal) == true;

    private static string Difference(string approved, string actual)
    {
        var (before, after) = (approved.Split('\n'), actual.Split('\n'));
        var lines = before.Except(after).Select(line => "- " + line)
            .Concat(after.Except(before).Select(line => "+ " + line));
        return string.Join('\n', lines.Take(40));
    }

    private class Parent;

    private class Child : Parent;

    private sealed class Grandchild : Child;
}
