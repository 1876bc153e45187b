using Cluster.Testing;

namespace Cluster.ConventionTests.Model;

/// <summary>The repository's text files for rules: read from disk, or made up as a counterexample. Immutable, shared by
/// all tests.</summary>
internal sealed class RepositorySnapshot
{
    private static readonly string[] IgnoredFolders =
        ["bin", "obj", ".git", "node_modules", "TestResults", "artifacts", "__pycache__", ".vs", ".idea"];

    private static readonly string[] TextExtensions =
    [
        ".cs", ".csproj", ".props", ".targets", ".sln", ".md", ".txt", ".json", ".xml", ".sh", ".py", ".js",
        ".mjs", ".ts", ".html", ".css", ".yml", ".yaml", ".runsettings", ".editorconfig", ".gitignore", ".proto", "",
    ];

    private static readonly Lazy<RepositorySnapshot> Lazy = new(Load);

    // Projects that `dotnet new` creates. They follow the conventions of their users.
    private const string TemplateFolder = "nodes/Cluster.Templates/content/";

    private readonly HashSet<string> _paths;

    private RepositorySnapshot(IReadOnlyDictionary<string, string> files, IEnumerable<string> paths)
    {
        Files = files;
        _paths = [.. paths.SelectMany(WithFolders)];
        Projects = [.. files.Where(file => file.Key.EndsWith(".csproj", StringComparison.Ordinal))
            .Where(file => !IsTemplate(file.Key))
            .Select(file => new ProjectFile(file.Key, file.Value))];
        Sources = [.. files.Where(file => file.Key.EndsWith(".cs", StringComparison.Ordinal))
            .Select(file => (file.Key, file.Value, Project: ProjectOf(file.Key)))
            .Where(file => file.Project is not null && !IsTemplate(file.Key))
            .Select(file => new SourceFile(file.Key, file.Value, file.Project!))];
    }

    /// <summary>The repository from which this test was built.</summary>
    public static RepositorySnapshot Current => Lazy.Value;

    /// <summary>The folder of the repository.</summary>
    public static string RootFolder => RepositoryFolder.Path;

    /// <summary>The text of each file by its path: relative to the root, with slashes.</summary>
    public IReadOnlyDictionary<string, string> Files { get; }

    public IReadOnlyList<ProjectFile> Projects { get; }

    public IReadOnlyList<SourceFile> Sources { get; }

    public IEnumerable<SourceFile> Production => Sources.Where(source => !source.Project.IsTestCode);

    public IEnumerable<SourceFile> Tests => Sources.Where(source => source.Project.IsTestCode);

    public IEnumerable<KeyValuePair<string, string>> Pages =>
        Files.Where(file => file.Key.EndsWith(".md", StringComparison.Ordinal));

    public static RepositorySnapshot Of(params (string Path, string Text)[] files) =>
        new(
            files.ToDictionary(file => file.Path, file => file.Text, StringComparer.Ordinal),
            files.Select(file => file.Path));

    /// <summary>A made-up repository with one production file, <c>Sample.cs</c> of Slim.</summary>
    public static RepositorySnapshot OfSource(string text) => Of(
        ("contracts/Cluster.Slim/Cluster.Slim.csproj", "<Project/>"), ("contracts/Cluster.Slim/Sample.cs", text));

    /// <summary>Whether a file or folder with this path exists, text or not.</summary>
    public bool Exists(string path) => _paths.Contains(path);

    /// <summary>The lines of a checked-in list, without comments and blank lines.</summary>
    public string[] ListLines(string path) => Files.TryGetValue(path, out var text)
        ? [.. text.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0 && line[0] != '#')]
        : [];

    private static bool IsTemplate(string path) => path.StartsWith(TemplateFolder, StringComparison.Ordinal);

    private static RepositorySnapshot Load()
    {
        var files = new SortedDictionary<string, FileInfo>(StringComparer.Ordinal);
        Collect(new DirectoryInfo(RootFolder), files);
        var texts = files.Where(file => IsText(file.Value))
            .ToDictionary(file => file.Key, file => File.ReadAllText(file.Value.FullName).ReplaceLineEndings("\n"));
        return new RepositorySnapshot(texts, files.Keys);
    }

    private static void Collect(DirectoryInfo folder, SortedDictionary<string, FileInfo> files)
    {
        foreach (var file in folder.EnumerateFiles())
            files.Add(Path.GetRelativePath(RootFolder, file.FullName).Replace('\\', '/'), file);

        foreach (var inner in folder.EnumerateDirectories().Where(inner => !IgnoredFolders.Contains(inner.Name)))
            Collect(inner, files);
    }

    // In a git worktree, .git is a file that points to the main clone. It is not part of the repository.
    private static bool IsText(FileInfo file) =>
        file.Name != ".git" && TextExtensions.Contains(file.Extension) && file.Length < 2_000_000;

    private static IEnumerable<string> WithFolders(string path)
    {
        for (var end = path.Length; end > 0; end = path.LastIndexOf('/', end - 1))
            yield return path[..end];
    }

    private ProjectFile? ProjectOf(string path) =>
        Projects.FirstOrDefault(project => path.StartsWith(project.Folder + "/", StringComparison.Ordinal));
}
