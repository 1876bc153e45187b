using Shop.Drive.Front;

namespace Shop.Drive.Tests.Front;

public sealed class DataFolderTests
{
    [Fact]
    public void Open_NoWish_MakesAFolderThatGoesAway()
    {
        var folder = DataFolder.Open(null);
        File.WriteAllText(Path.Combine(folder.Path, "table"), "");
        Assert.True(Directory.Exists(folder.Path));

        folder.Dispose();
        folder.Dispose();

        Assert.False(Directory.Exists(folder.Path));
    }

    [Fact]
    public void Open_BesideFoldersOfOtherRuns_RemovesTheAbandonedAndNoOther()
    {
        var root = Directory.CreateTempSubdirectory("shop-test-").FullName;
        try
        {
            // A killed run leaves its folder and its lock file, which no process holds.
            var abandoned = Path.Combine(root, $"shop-{Guid.NewGuid():N}");
            Directory.CreateDirectory(Path.Combine(abandoned, "shop"));
            File.WriteAllText(abandoned + ".owner", "");
            var foreign = Directory.CreateDirectory(Path.Combine(root, "shop-data")).FullName;
            File.WriteAllText(foreign + ".owner", "");
            using var living = DataFolder.Open(null, root);

            Assert.False(Directory.Exists(abandoned));
            using (var other = DataFolder.Open(null, root))
            {
                Assert.NotEqual(living.Path, other.Path);
                Assert.True(Directory.Exists(living.Path));
            }

            living.Dispose();
            Assert.Equal([foreign, foreign + ".owner"], Directory.EnumerateFileSystemEntries(root).Order());
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    [Fact]
    public void Open_UsersFolder_StaysWithItsContents()
    {
        var users = Directory.CreateTempSubdirectory("shop-test-");
        try
        {
            DataFolder.Open(users.FullName).Dispose();

            Assert.True(users.Exists);
        }
        finally
        {
            users.Delete(recursive: true);
        }
    }
}
