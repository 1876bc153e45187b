using Shop.Front;

namespace Shop.Tests.Front;

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
