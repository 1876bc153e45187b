using Cluster.Testing;
using Microsoft.AspNetCore.Authorization;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Authorization;

/// <summary>Who may call what, over every way, and that nothing of a refused call is read.</summary>
[Trait("Case", "transport-7")]
[Collection(nameof(Parcel))]
public sealed class AuthorizationTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public static TheoryData<GuardedWay> Ways() => new(Enum.GetValues<GuardedWay>());

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Method_ThatAsksForAUser_IsRefusedToNobody_AndServedToAKnownOne(GuardedWay way)
    {
        await using var host = await GuardedHost.StartAsync(way);
        await using var stranger = GuardedHost.CreateClient(way);
        var failure = await FailAsync(() => host.Connect<IGuarded>(stranger, way).NameAsync());
        Check(failure, GlueErrorCode.NotAuthenticated, way);
        Assert.Contains("IGuarded.NameAsync", failure.Message, StringComparison.Ordinal);
        Assert.Contains("a known user", failure.Message, StringComparison.Ordinal);
        Assert.Contains("WithBearerToken", failure.Message, StringComparison.Ordinal);
        Assert.Empty(host.Seen.Calls);

        await using var known = GuardedHost.CreateClient(way, TokenHandler.Of("ada"));
        var guarded = host.Connect<IGuarded>(known, way);
        Assert.Equal("ada", await guarded.NameAsync().WaitAsync(Bound));
        Assert.Equal("ada", await guarded.SlowAsync().WaitAsync(Bound));
        Assert.Equal("ada", guarded.NameNow());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Method_ThatAsksForARole_IsRefusedWithoutIt(GuardedWay way)
    {
        await using var host = await GuardedHost.StartAsync(way);
        await using var user = GuardedHost.CreateClient(way, TokenHandler.Of("ada"));
        var guarded = host.Connect<IGuarded>(user, way);
        var failure = await FailAsync(guarded.AdminAsync);
        Check(failure, GlueErrorCode.NotAuthorized, way);
        Assert.Contains("one of the roles 'admin'", failure.Message, StringComparison.Ordinal);
        Check(await FailAsync(guarded.AdminAsync), GlueErrorCode.NotAuthorized, way);
        Check(await FailAsync(guarded.ByClassAsync), GlueErrorCode.NotAuthorized, way);

        await using var admin = GuardedHost.CreateClient(way, TokenHandler.Of("root", "admin"));
        Assert.Equal("root", await host.Connect<IGuarded>(admin, way).AdminAsync().WaitAsync(Bound));
        await using var auditor = GuardedHost.CreateClient(way, TokenHandler.Of("eve", "auditor"));
        Assert.Equal("eve", await host.Connect<IGuarded>(auditor, way).ByClassAsync().WaitAsync(Bound));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task AllowAnonymous_OpensItsMethod_AndNoOther(GuardedWay way)
    {
        await using var host = await GuardedHost.StartAsync(way);
        await using var stranger = GuardedHost.CreateClient(way);
        var guarded = host.Connect<IGuarded>(stranger, way);
        Assert.Equal("nobody", await guarded.OpenAsync().WaitAsync(Bound));
        Check(await FailAsync(guarded.NameAsync), GlueErrorCode.NotAuthenticated, way);
        // A method for everybody is told who calls all the same.
        using (GlueCall.WithBearerToken(TokenHandler.Of("ada")))
            Assert.Equal("ada", await guarded.OpenAsync().WaitAsync(Bound));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Contract_ThatInheritsFromAGuardedOne_IsGuardedWhole(GuardedWay way)
    {
        await using var host = await GuardedHost.StartAsync(way);
        await using var stranger = GuardedHost.CreateClient(way);
        var derived = host.Connect<IDerived>(stranger, way);
        Check(await FailAsync(derived.BaseAsync), GlueErrorCode.NotAuthenticated, way);
        Check(await FailAsync(derived.OwnAsync), GlueErrorCode.NotAuthenticated, way);
    }

    /// <summary>Neither small nor large arguments are made of their bytes when the call is refused.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task RefusedCall_MakesNoArguments(GuardedWay way)
    {
        await using var host = await GuardedHost.StartAsync(way);
        await using var stranger = GuardedHost.CreateClient(way);
        var guarded = host.Connect<IGuarded>(stranger, way);
        using (GlueCall.WithBearerToken(TokenHandler.Of("ada")))
            Assert.Equal(7, await guarded.TakeAsync(new Parcel { Content = new byte[7] }).WaitAsync(Bound));
        host.Seen.Calls.Clear();
        var made = Parcel.MadeCount;
        foreach (var size in new[] { 0, 100, 4 * 1024 * 1024 })
        {
            var failure = await FailAsync(() => guarded.TakeAsync(new Parcel { Content = new byte[size] }));
            Check(failure, GlueErrorCode.NotAuthenticated, way);
        }

        Check(await FailAsync(() => guarded.EchoAsync("text")), GlueErrorCode.NotAuthenticated, way);
        Assert.Equal(made, Parcel.MadeCount);
        Assert.Empty(host.Seen.Calls);
        using (GlueCall.WithBearerToken(TokenHandler.Of("ada")))
            Assert.Equal("text", await guarded.EchoAsync("text").WaitAsync(Bound));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Streams_OfARefusedCall_AreNeitherOpenedNorRead(GuardedWay way)
    {
        await using var host = await GuardedHost.StartAsync(way);
        await using var stranger = GuardedHost.CreateClient(way);
        var guarded = host.Connect<IGuarded>(stranger, way);
        var failure = await Assert.ThrowsAsync<GlueException>(async () =>
        {
            await foreach (var _ in guarded.CountAsync(3))
                Assert.Fail("An item came.");
        });
        Check(failure, GlueErrorCode.NotAuthenticated, GuardedWay.Link);
        var read = 0;
        Check(await FailAsync(() => guarded.SumAsync(ItemsAsync())), GlueErrorCode.NotAuthenticated, GuardedWay.Link);
        Assert.Equal(0, read);
        Assert.Empty(host.Seen.Calls);

        using (GlueCall.WithBearerToken(TokenHandler.Of("ada")))
        {
            List<int> items = [];
            await foreach (var item in guarded.CountAsync(3))
                items.Add(item);
            Assert.Equal([0, 1, 2], items);
            Assert.Equal(6, await guarded.SumAsync(ItemsAsync()).WaitAsync(Bound));
        }

        async IAsyncEnumerable<int> ItemsAsync()
        {
            await Task.Yield();
            for (var i = 1; i <= 3; i++)
            {
                read++;
                yield return i;
            }
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task OneWayCall_OfNobody_DoesNotRun_AndOneOfAUserDoes(GuardedWay way)
    {
        await using var host = await GuardedHost.StartAsync(way);
        host.Log.Allow(1009);
        await using var stranger = GuardedHost.CreateClient(way);
        await host.Connect<IGuarded>(stranger, way).TellAsync("refused").WaitAsync(Bound);
        await host.Log.WaitForAsync(1009, Bound);
        await using var known = GuardedHost.CreateClient(way, TokenHandler.Of("ada"));
        await host.Connect<IGuarded>(known, way).TellAsync("served").WaitAsync(Bound);
        await Eventually.TrueAsync(() => !host.Seen.Calls.IsEmpty, Bound);
        Assert.Equal(["tell served by ada"], host.Seen.Calls);
    }

    /// <summary>Each call of a batch has the user of its own token, whatever the link shows.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task CallsOfDifferentUsers_AtOnce_HaveTheirOwnUsers(GuardedWay way)
    {
        await using var host = await GuardedHost.StartAsync(way);
        await using var client = GuardedHost.CreateClient(way, TokenHandler.Of("ada", "admin"));
        var guarded = host.Connect<IGuarded>(client, way);
        await Task.WhenAll(Enumerable.Range(0, 100).Select(i => (i % 4) switch
        {
            0 => CheckNameAsync(guarded, "ada", null),
            1 => CheckNameAsync(guarded, $"user{i}", TokenHandler.Of($"user{i}")),
            2 => CheckRefusedAsync(guarded, "bad", GlueErrorCode.NotAuthenticated),
            _ => CheckRefusedAsync(guarded, TokenHandler.Of($"user{i}"), GlueErrorCode.NotAuthorized),
        })).WaitAsync(Bound);

        static async Task CheckNameAsync(IGuarded guarded, string name, string? token)
        {
            using var scope = token is null ? null : GlueCall.WithBearerToken(token);
            Assert.Equal(name, await guarded.NameAsync());
        }

        static async Task CheckRefusedAsync(IGuarded guarded, string token, GlueErrorCode code)
        {
            using var scope = GlueCall.WithBearerToken(token);
            var failure = await Assert.ThrowsAsync<GlueException>(guarded.AdminAsync);
            Assert.Equal(code, failure.Code);
        }
    }

    /// <summary>What goes wrong in a handler refuses the call, and the caller learns nothing of it.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task HandlerThatFails_RefusesTheCall(GuardedWay way)
    {
        await using var host = await GuardedHost.StartAsync(way);
        host.Log.Allow(1015, 1016, 1017, 1018);
        await using var client = GuardedHost.CreateClient(way, TokenHandler.Of("ada"));
        var guarded = host.Connect<IGuarded>(client, way);
        var failure = await FailAsync(guarded.BrokenAsync);
        Check(failure, GlueErrorCode.NotAuthorized, way);
        Assert.DoesNotContain("table of users", failure.Message, StringComparison.Ordinal);
        using (GlueCall.WithBearerToken("crash.secret"))
            failure = await FailAsync(guarded.NameAsync);
        Check(failure, GlueErrorCode.NotAuthenticated, way);
        Assert.DoesNotContain("secret", failure.Message, StringComparison.Ordinal);
        using (GlueCall.WithBearerToken("bad.secret"))
            failure = await FailAsync(guarded.NameAsync);
        Check(failure, GlueErrorCode.NotAuthenticated, way);
        Assert.DoesNotContain("secret", failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(
            host.Log.Entries, entry => entry.Message.Contains("crash.secret", StringComparison.Ordinal));
        Assert.Empty(host.Seen.Calls);
    }

    [Fact]
    public async Task Filters_SeeNothingOfARefusedCall_AndTheUserOfAnother()
    {
        var filter = new UserFilter();
        await using var host = await GuardedHost.StartAsync(options => options.Filters.Add(filter));
        await using var client = GuardedHost.CreateClient(GuardedWay.Link);
        var guarded = host.Connect<IGuarded>(client, GuardedWay.Link);
        await FailAsync(guarded.NameAsync);
        Assert.Empty(filter.Names);
        using (GlueCall.WithBearerToken(TokenHandler.Of("ada")))
            await guarded.NameAsync().WaitAsync(Bound);
        Assert.Equal(["ada"], filter.Names);
    }

    /// <summary>Objects that a service lends ask for a user as services do.</summary>
    [Fact]
    public async Task LentObject_IsRefusedToNobody()
    {
        await using var host = await GuardedHost.StartAsync();
        await using var client = GuardedHost.CreateClient(GuardedWay.Link);
        var guarded = host.Connect<IGuarded>(client, GuardedWay.Link);
        IGuardedCallback lent;
        using (GlueCall.WithBearerToken(TokenHandler.Of("ada")))
        {
            lent = await guarded.LendAsync().WaitAsync(Bound);
            Assert.Equal("ada", await lent.NameAsync().WaitAsync(Bound));
        }

        Assert.Equal(GlueErrorCode.NotAuthenticated, (await FailAsync(lent.NameAsync)).Code);
    }

    /// <summary>A provider that does not allow caching may change a policy while a link is open.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task PolicyThatMayChange_IsDecidedForEachCall(GuardedWay way)
    {
        var policies = new ChangingPolicies();
        await using var host = await GuardedHost.StartAsync(
            compose: glue => glue.Services.AddSingleton<IAuthorizationPolicyProvider>(policies),
            mode: way == GuardedWay.InProcessSerialized
                ? GlueInProcessMode.Serialize
                : GlueInProcessMode.ShareObjects);
        await using var client = GuardedHost.CreateClient(way, TokenHandler.Of("ada"));
        var guarded = host.Connect<IGuarded>(client, way);
        Assert.Equal("ada", await guarded.NameAsync().WaitAsync(Bound));
        policies.RequireRole("admin");
        Check(await FailAsync(guarded.NameAsync), GlueErrorCode.NotAuthorized, way);
        policies.RequireRole(null);
        Assert.Equal("ada", await guarded.NameAsync().WaitAsync(Bound));
    }

    /// <summary>What one service does with its user stays with its call.</summary>
    [Fact]
    public async Task User_OfACall_IsACopy()
    {
        await using var host = await GuardedHost.StartAsync(
            options => options.Filters.Add(new PromotingFilter()));
        await using var client = GuardedHost.CreateClient(GuardedWay.Link, TokenHandler.Of("ada"));
        var guarded = host.Connect<IGuarded>(client, GuardedWay.Link);
        await guarded.NameAsync().WaitAsync(Bound);
        Assert.Equal(GlueErrorCode.NotAuthorized, (await FailAsync(guarded.AdminAsync)).Code);
    }

    private static async Task<GlueException> FailAsync(Func<Task> call) =>
        await Assert.ThrowsAsync<GlueException>(call).WaitAsync(Bound);

    private static void Check(GlueException failure, GlueErrorCode code, GuardedWay way)
    {
        Assert.True(failure.Code == code, failure.Message);
        Assert.Equal(
            (GlueErrorKind.Refused, GlueDelivery.NotDelivered, code), (failure.Kind, failure.Delivery, failure.Code));
        if (way == GuardedWay.Unary)
            Assert.Equal(code == GlueErrorCode.NotAuthenticated ? 16 : 7, failure.GrpcStatus);
    }
}
