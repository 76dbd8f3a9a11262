#nullable disable

using System;
using Xunit;

namespace Shop.Tests
{
    public class AccountTests
    {
        [Fact]
        public void Audit_ChangesAudits()
        {
            var account = new Account("Ann \"A\"", 5);

            account.Audit();

            // Passes when nothing is thrown.
        }

        [Fact]
        public void Constructor_CreatesAccount()
        {
            var account = new Account("Bob", 5);

            Assert.Equal(5, account.Balance);
            Assert.True(account.Open);
        }

        [Fact]
        public void Constructor_ThrowsArgumentException()
        {
            Assert.Throws<ArgumentException>(() => new Account("Bob", -1));
        }

        [Fact]
        public void Indexer_Returns5()
        {
            var account = new Account("Ann \"A\"", 5);

            var result = account[0];

            Assert.Equal(5, result);
        }

        [Fact]
        public void Indexer_ThrowsIndexOutOfRangeException()
        {
            var account = new Account("Ann \"A\"", 5);

            Assert.Throws<IndexOutOfRangeException>(() => _ = account[1]);
        }

        [Fact]
        public void Limit_Returns10()
        {
            var result = Account.Limit;

            Assert.Equal(10, result);
        }

        [Fact]
        public void SetIndexer_ChangesBalance()
        {
            var account = new Account("Ann \"A\"", 5);

            account[1] = 6;

            Assert.Equal(7, account.Balance);
        }

        [Fact]
        public void SetOpen_ChangesOpen()
        {
            var account = new Account("Ann \"A\"", 5);

            account.Open = false;

            Assert.False(account.Open);
        }

        [Fact]
        public void SetOpen_Succeeds()
        {
            var account = new Account("Ann \"A\"", 5);

            account.Open = true;

            Assert.True(account.Open);
        }

        [Fact]
        public void Withdraw_Audits0_ReturnsTrue()
        {
            var account = new Account("Ann \"A\"", 5);

            var result = account.Withdraw(4);

            Assert.True(result);
            Assert.Equal(1, account.Balance);
        }

        [Fact]
        public void Withdraw_Audits3_ReturnsTrue()
        {
            // By reflection: no public call is known that makes a Account with this owner, Balance, audits.
            var account = Reflected.Make<Account>(("owner", "Ann \"A\""), ("<Balance>k__BackingField", 5), ("<Open>k__BackingField", true), ("audits", 3));

            var result = account.Withdraw(4);

            Assert.True(result);
            Assert.Equal(1, account.Balance);
        }

        [Fact]
        public void Withdraw_ReturnsFalse()
        {
            var account = new Account("Ann \"A\"", 5) { Open = false };

            var result = account.Withdraw(4);

            Assert.False(result);
        }
    }
}
